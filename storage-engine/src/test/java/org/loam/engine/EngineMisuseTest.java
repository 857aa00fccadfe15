package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.ClosedException;
import org.loam.common.error.InUseException;
import org.loam.common.sim.Simulation;

/**
 * What a caller may do wrong: refused with the documented exception, whose message names the thing,
 * the value and what to do, and with nothing changed. Limits of sizes and formats are in
 * integration-tests.
 */
@Tag("once")
class EngineMisuseTest {
  private static final byte[] KEY = bytes("key");
  private static final byte[] VALUE = bytes("value");

  private static final WriteOptions IN_TIME = WriteOptions.DEFAULT.within(Duration.ofSeconds(10));

  @TempDir Path directory;

  private static EngineConfig config() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeInitialBytes(1 << 20)
        .logSegmentBytes(1 << 20)
        .logMaxBytes(4 << 20)
        .sstableBytes(1 << 20)
        .build();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static void refused(
      Class<? extends RuntimeException> type, ThrowingCallable call, String... told) {
    assertThatThrownBy(call).isExactlyInstanceOf(type).hasMessageContainingAll(told);
  }

  private static void refused(ThrowingCallable call, String... told) {
    refused(IllegalArgumentException.class, call, told);
  }

  @Test
  void nullIsRefusedByName() {
    try (Engine engine = Engine.open(directory, config())) {
      Tree tree = engine.createTree("t");
      refused(() -> tree.put(null, VALUE), "key is null");
      refused(() -> tree.put(KEY, null), "value is null", "delete");
      refused(() -> tree.delete(null), "key is null");
      refused(() -> tree.get(null), "key is null");
      refused(() -> tree.get(null, new byte[1]), "key is null");
      refused(() -> tree.get(KEY, (byte[]) null), "target is null");
      refused(() -> tree.get(KEY, (ReadOptions) null), "options is null");
      refused(() -> tree.put(KEY, VALUE, null), "options is null");
      refused(() -> tree.compareAndPut(null, null, VALUE), "key is null");
      refused(() -> tree.compareAndPut(KEY, null, VALUE, null), "options is null");
      refused(() -> tree.scan(null), "options is null");
      refused(() -> ScanOptions.all().from(null), "from is null");
      refused(() -> ScanOptions.all().to(null), "to is null");
      refused(() -> ScanOptions.all().prefix(null), "prefix is null");
      refused(() -> WriteOptions.DEFAULT.within(null), "timeout is null");
      refused(() -> new WriteBatch().put(null, KEY, VALUE), "tree is null");
      refused(() -> engine.write(null), "batch is null");
      refused(() -> engine.createTree(null), "tree name is null");
      refused(() -> engine.createTree("u", null), "options is null");
      refused(() -> engine.tree(null), "tree name is null");
      refused(() -> engine.hasTree(null), "tree name is null");
      refused(() -> engine.dropTree(null), "tree name is null");
      try (Snapshot snapshot = engine.snapshot()) {
        refused(() -> snapshot.get(null, KEY), "tree is null");
        refused(() -> snapshot.get(tree, null), "key is null");
        refused(() -> snapshot.scan(tree, null), "options is null");
      }
      assertThat(tree.get(KEY)).isNull();
      assertThat(engine.trees()).containsExactly(tree);
    }
    refused(() -> Engine.open(null, config()), "directory is null");
    refused(() -> Engine.open(directory, null), "config is null");
  }

  @Test
  void keysThatAreTooLongAreRefusedWhereverTheyCome() {
    try (Engine engine = Engine.open(directory, config())) {
      Tree tree = engine.createTree("t");
      byte[] tooLong = new byte[1025];
      String[] rule = {"1025 bytes", "must have at most 1024"};
      refused(() -> tree.delete(tooLong), rule);
      refused(() -> tree.get(tooLong, new byte[1]), rule);
      refused(() -> tree.get(tooLong, ReadOptions.WITHOUT_CACHE_FILL), rule);
      refused(() -> tree.scan(ScanOptions.all().from(tooLong)), rule);
      refused(() -> tree.scan(ScanOptions.all().to(tooLong)), rule);
      refused(() -> tree.scan(ScanOptions.all().prefix(tooLong)), rule);
      try (Snapshot snapshot = engine.snapshot()) {
        refused(() -> snapshot.get(tree, tooLong), rule);
        refused(() -> snapshot.scan(tree, ScanOptions.all().from(tooLong)), rule);
      }
    }
  }

  @Test
  void anEmptyKeyIsAKeyLikeOthers() {
    byte[] empty = new byte[0];
    try (Engine engine = Engine.open(directory, config())) {
      Tree tree = engine.createTree("t");
      tree.put(KEY, VALUE);
      tree.put(empty, bytes("first"));
      assertThat(keys(tree, ScanOptions.all())).containsExactly("", "key");
      tree.compact();
      assertThat(keys(tree, ScanOptions.all().from(empty).reverse())).containsExactly("key", "");
      assertThat(keys(tree, ScanOptions.all().to(empty))).isEmpty();
      assertThat(keys(tree, ScanOptions.all().prefix(empty))).hasSize(2);
    }
    try (Engine engine = Engine.open(directory, config())) {
      Tree tree = engine.tree("t");
      assertThat(tree.get(empty)).isEqualTo(bytes("first"));
      tree.delete(empty);
      tree.compact();
      assertThat(keys(tree, ScanOptions.all())).containsExactly("key");
    }
  }

  private static List<String> keys(Tree tree, ScanOptions options) {
    List<String> keys = new ArrayList<>();
    try (Cursor cursor = tree.scan(options)) {
      while (cursor.next()) {
        keys.add(new String(cursor.key(), UTF_8));
      }
    }
    return keys;
  }

  @Test
  void aRangeThatEndsBeforeItBeginsIsEmpty() {
    try (Engine engine = Engine.open(directory, config())) {
      Tree tree = engine.createTree("t");
      tree.put(KEY, VALUE);
      ScanOptions inverted = ScanOptions.all().from(bytes("z")).to(bytes("a"));
      assertThat(keys(tree, inverted)).isEmpty();
      assertThat(keys(tree, inverted.reverse())).isEmpty();
      tree.flush();
      assertThat(keys(tree, inverted)).isEmpty();
      assertThat(keys(tree, inverted.reverse())).isEmpty();
    }
  }

  /** In whichever order they are given: a scan is continued from a key on. */
  @Test
  void aPrefixKeepsTheBoundsWithinIt() {
    try (Engine engine = Engine.open(directory, config())) {
      Tree tree = engine.createTree("t");
      List.of("a", "b1", "b2", "b3", "c").forEach(key -> tree.put(bytes(key), VALUE));
      ScanOptions b = ScanOptions.all().prefix(bytes("b"));
      assertThat(keys(tree, b)).containsExactly("b1", "b2", "b3");
      ScanOptions fromB2 = ScanOptions.all().from(bytes("b2"));
      assertThat(keys(tree, b.from(bytes("b2")))).containsExactly("b2", "b3");
      assertThat(keys(tree, fromB2.prefix(bytes("b")))).containsExactly("b2", "b3");
      ScanOptions toB3 = ScanOptions.all().to(bytes("b3"));
      assertThat(keys(tree, toB3.prefix(bytes("b")))).containsExactly("b1", "b2");
      assertThat(keys(tree, toB3.prefix(new byte[0]))).containsExactly("a", "b1", "b2");
      assertThat(keys(tree, ScanOptions.all().from(bytes("a")).to(bytes("z")).prefix(bytes("b"))))
          .containsExactly("b1", "b2", "b3");
      assertThat(keys(tree, b.prefix(bytes("b2")).reverse())).containsExactly("b2");
      assertThat(keys(tree, fromB2.prefix(bytes("a")))).isEmpty();
      assertThat(keys(tree, b.from(bytes("a")))).containsExactly("b1", "b2", "b3");
      assertThat(keys(tree, b.to(bytes("z")))).containsExactly("b1", "b2", "b3");
      assertThat(keys(tree, b.reverse().from(bytes("a")).to(bytes("z")).limit(2)))
          .containsExactly("b3", "b2");
      assertThat(keys(tree, b.from(bytes("c")))).isEmpty();
      assertThat(keys(tree, b.to(bytes("a")).reverse())).isEmpty();
      // Of two bounds of a kind the later one counts.
      assertThat(keys(tree, b.from(bytes("b3")).from(bytes("b2")))).containsExactly("b2", "b3");
      assertThat(keys(tree, b.to(bytes("b2")).to(bytes("b3")))).containsExactly("b1", "b2");
    }
  }

  /** What was refused is not in the batch, and the rest of it is as before. */
  @Test
  void aBatchStaysUsableAfterARefusal() {
    try (Engine engine = Engine.open(directory, config())) {
      Tree tree = engine.createTree("t");
      WriteBatch batch = new WriteBatch().put(tree, KEY, VALUE);
      refused(() -> batch.put(tree, bytes("bad"), null), "value is null");
      refused(() -> batch.put(tree, new byte[1025], VALUE), "1025 bytes");
      refused(() -> batch.delete(null, KEY), "tree is null");
      assertThat(batch.size()).isEqualTo(1);
      engine.write(batch);
      assertThat(keys(tree, ScanOptions.all())).containsExactly("key");
    }
  }

  /** Such a batch is below the limit in bytes; it would wait for ever. */
  @Test
  void aBatchThatWriteMemoryCanNeverHoldIsRefused() {
    try (Simulation sim = Simulation.seeded(3)) {
      EngineConfig tiny = EngineSimulationTest.config(Durability.PROCESS);
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), tiny)) {
              List<Tree> trees = new ArrayList<>();
              for (int i = 0; i < 40; i++) {
                trees.add(engine.createTree("t" + i));
              }
              Tree tree = trees.get(0);
              refused(
                  () -> engine.write(manyDeletes(tree, 2600), IN_TIME),
                  "2600 writes in 1 trees",
                  "of 64 pages of write memory",
                  "split it, or raise write.initialBytes");
              refused(() -> engine.write(oneInEach(trees), IN_TIME), "40 writes in 40 trees");
              engine.write(manyDeletes(tree, 1000), IN_TIME);
              engine.write(oneInEach(trees.subList(0, 30)), IN_TIME);
              assertThat(tree.get(KEY)).isEqualTo(VALUE);
            }
          });
    }
  }

  private static WriteBatch manyDeletes(Tree tree, int count) {
    WriteBatch batch = new WriteBatch();
    for (int i = 0; i < count; i++) {
      batch.delete(tree, new byte[] {(byte) (i >> 8), (byte) i});
    }
    return batch;
  }

  private static WriteBatch oneInEach(List<Tree> trees) {
    WriteBatch batch = new WriteBatch();
    trees.forEach(tree -> batch.put(tree, KEY, VALUE));
    return batch;
  }

  @Test
  void memoryThatTheSystemRefusesIsRefusedBeforeAnythingIsMade() throws IOException {
    String overcommit = Files.readString(Path.of("/proc/sys/vm/overcommit_memory"));
    assumeThat(overcommit.strip()).as("the system promises all memory").isNotEqualTo("1");
    EngineConfig huge = EngineConfig.builder().memoryTotalBytes(4L << 40).build();
    Path database = directory.resolve("database");
    refused(() -> Engine.open(database, huge), "memory.total is 4TiB", "does not get", "lower it");
    assertThat(database).doesNotExist();
  }

  @Test
  void namesOfTreesAreChecked() {
    try (Engine engine = Engine.open(directory, config())) {
      String longest = "n".repeat(255);
      engine.createTree(longest);
      for (String name : List.of("", "n".repeat(256), "ü".repeat(128), "\ud800")) {
        refused(() -> engine.createTree(name), "'" + name + "'", "1 to 255 bytes in UTF-8");
      }
      refused(() -> engine.createTree(longest), "there is a tree '" + longest, "already", "open");
      engine.createTree("orders");
      refused(() -> engine.dropTree("order"), "no tree 'order'", "did you mean 'orders'?");
      refused(() -> engine.tree("customers"), "no tree 'customers'", "create");
      assertThat(engine.hasTree("order")).isFalse();
      assertThat(engine.trees()).hasSize(2);
    }
  }

  @Test
  void optionsAreChecked() {
    refused(
        () -> WriteOptions.DEFAULT.within(Duration.ofMillis(-1)),
        "timeout is PT-0.001S",
        "must not be negative");
    try (Engine engine = Engine.open(directory, config())) {
      Tree tree = engine.createTree("t");
      tree.put(KEY, VALUE, WriteOptions.DEFAULT.within(Duration.ZERO));
      tree.put(KEY, VALUE, WriteOptions.DEFAULT.within(Duration.ofSeconds(Long.MAX_VALUE)).sync());
      tree.put(KEY, VALUE, WriteOptions.DEFAULT.within(Duration.ofNanos(Long.MAX_VALUE - 1)));
      assertThat(tree.get(KEY)).isEqualTo(VALUE);
    }
  }

  @Test
  void thingsOfAnotherEngineAreRefused() {
    try (Engine engine = Engine.open(directory.resolve("a"), config());
        Engine other = Engine.open(directory.resolve("b"), config())) {
      Tree foreign = other.createTree("theirs");
      refused(
          () -> engine.write(new WriteBatch().put(foreign, KEY, VALUE)),
          "tree 'theirs'",
          "another engine");
      try (Snapshot snapshot = engine.snapshot()) {
        refused(() -> snapshot.get(foreign, KEY), "tree 'theirs'", "another engine");
        refused(() -> snapshot.scan(foreign, ScanOptions.all()), "tree 'theirs'", "another engine");
      }
      assertThat(foreign.get(KEY)).isNull();
    }
  }

  @Test
  void everyOperationIsRefusedAfterClose() {
    Engine engine = Engine.open(directory, config());
    Tree tree = engine.createTree("t");
    WriteBatch batch = new WriteBatch().put(tree, KEY, VALUE);
    Snapshot snapshot = engine.snapshot();
    Cursor cursor = tree.scan(ScanOptions.all());
    engine.close();
    engine.close();
    List<ThrowingCallable> operations =
        List.of(
            () -> engine.createTree("u"),
            () -> engine.tree("t"),
            () -> engine.hasTree("t"),
            engine::trees,
            () -> engine.dropTree("t"),
            () -> engine.write(batch),
            engine::snapshot,
            engine::flush,
            engine::statistics,
            () -> tree.put(KEY, VALUE),
            () -> tree.delete(KEY),
            () -> tree.get(KEY),
            () -> tree.get(KEY, new byte[9]),
            () -> tree.compareAndPut(KEY, null, VALUE),
            () -> tree.scan(ScanOptions.all()),
            tree::flush,
            tree::compact,
            cursor::next,
            () -> snapshot.get(tree, KEY),
            () -> snapshot.scan(tree, ScanOptions.all()));
    for (ThrowingCallable operation : operations) {
      refused(ClosedException.class, operation, "the engine was closed");
    }
    cursor.close();
    snapshot.close();
    assertThat(engine.recovery().created()).isTrue();
    assertThat(tree.name()).isEqualTo("t");
  }

  @Test
  void everyOperationOnADroppedTreeIsRefused() {
    try (Engine engine = Engine.open(directory, config())) {
      Tree tree = engine.createTree("t");
      for (int i = 0; i < 1000; i++) {
        tree.put(bytes("key" + i), new byte[100]);
      }
      WriteBatch batch = new WriteBatch().put(tree, KEY, VALUE);
      Cursor begun = tree.scan(ScanOptions.all());
      assertThat(begun.next()).isTrue();
      Snapshot snapshot = engine.snapshot();
      engine.dropTree("t");
      List<ThrowingCallable> operations =
          List.of(
              () -> tree.put(KEY, VALUE),
              () -> tree.delete(KEY),
              () -> tree.get(KEY),
              () -> tree.get(KEY, new byte[9]),
              () -> tree.compareAndPut(KEY, null, VALUE),
              () -> tree.scan(ScanOptions.all()),
              tree::flush,
              tree::compact,
              () -> engine.write(batch),
              () -> snapshot.get(tree, KEY),
              () -> snapshot.scan(tree, ScanOptions.all()),
              () -> drain(begun));
      for (ThrowingCallable operation : operations) {
        refused(ClosedException.class, operation, "tree 't' was dropped");
      }
      begun.close();
      snapshot.close();
      Tree successor = engine.createTree("t");
      assertThat(keys(successor, ScanOptions.all())).isEmpty();
      refused(ClosedException.class, () -> tree.get(KEY), "tree 't' was dropped");
    }
  }

  private static void drain(Cursor cursor) {
    while (cursor.next()) {
      assertThat(cursor.valueLength()).isEqualTo(100);
    }
  }

  @Test
  void aCursorIsAtAnEntryOrSaysSo() {
    try (Engine engine = Engine.open(directory, config())) {
      Tree tree = engine.createTree("t");
      tree.put(KEY, VALUE);
      Cursor cursor = tree.scan(ScanOptions.all());
      String[] rule = {"not at an entry", "call next()"};
      refused(IllegalStateException.class, cursor::key, rule);
      assertThat(cursor.next()).isTrue();
      byte[] target = bytes("....");
      assertThat(cursor.copyKey(target, 1)).isEqualTo(3);
      assertThat(target).isEqualTo(bytes(".key"));
      assertThatThrownBy(() -> cursor.copyValue(target, 0))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContainingAll("value has 5 bytes", "array has 4");
      assertThatThrownBy(() -> cursor.copyKey(target, 2))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContainingAll("key has 3 bytes", "from 2 on");
      assertThatThrownBy(() -> cursor.copyKey(target, -1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(target).isEqualTo(bytes(".key"));
      int from = cursor.valueOffset();
      assertThat(Arrays.copyOfRange(cursor.valueArray(), from, from + cursor.valueLength()))
          .isEqualTo(VALUE);
      assertThat(cursor.next()).isFalse();
      refused(IllegalStateException.class, cursor::valueLength, rule);
      refused(IllegalStateException.class, cursor::valueArray, rule);
      assertThat(cursor.next()).isFalse();
      cursor.close();
      cursor.close();
      refused(ClosedException.class, cursor::next, "the cursor was closed");
      refused(IllegalStateException.class, cursor::value, rule);
    }
  }

  @Test
  void aClosedSnapshotIsRefusedAndItsCursorsGoOn() {
    try (Engine engine = Engine.open(directory, config())) {
      Tree tree = engine.createTree("t");
      tree.put(KEY, VALUE);
      Snapshot snapshot = engine.snapshot();
      Cursor cursor = snapshot.scan(tree, ScanOptions.all());
      snapshot.close();
      snapshot.close();
      refused(ClosedException.class, () -> snapshot.get(tree, KEY), "the snapshot was closed");
      refused(
          ClosedException.class,
          () -> snapshot.scan(tree, ScanOptions.all()),
          "the snapshot was closed");
      tree.put(KEY, bytes("later"));
      tree.compact();
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.value()).isEqualTo(VALUE);
      cursor.close();
    }
  }

  /** Whatever it is called: a link and a detour lead to the same database. */
  @Test
  void oneDirectoryHasOneEngineByAnyName() throws IOException {
    Path database = directory.resolve("database");
    Path link = Files.createSymbolicLink(directory.resolve("link"), database);
    try (Engine engine = Engine.open(database, config())) {
      Path detour = database.resolve("..").resolve("database");
      for (Path name : List.of(link, detour)) {
        refused(InUseException.class, () -> Engine.open(name, config()), name.toString(), "in use");
      }
      engine.createTree("t").put(KEY, VALUE);
    }
    try (Engine engine = Engine.open(link, config())) {
      assertThat(engine.tree("t").get(KEY)).isEqualTo(VALUE);
    }
  }

  /** Settings that are right one by one may not fit together: nothing is created then. */
  @Test
  void memoryThatCannotBeDividedIsRefusedBeforeAnythingChanges() {
    Path database = directory.resolve("database");
    EngineConfig threads =
        EngineConfig.builder().memoryTotalBytes(64 << 20).mergeThreads(20).build();
    refused(
        () -> Engine.open(database, threads),
        "memory.total is 64MiB",
        "20 merges",
        "at most a quarter",
        "lower threads.merge");
    EngineConfig write =
        EngineConfig.builder().memoryTotalBytes(64 << 20).writeInitialBytes(60 << 20).build();
    refused(
        () -> Engine.open(database, write),
        "write.initialBytes is 60MiB",
        "must be at most",
        "MiB");
    assertThat(database).doesNotExist();
  }
}
