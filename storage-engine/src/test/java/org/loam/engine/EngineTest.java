package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.config.PageCacheUse;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.env.real.RealEnv;
import org.loam.common.env.real.RealFiles;
import org.loam.common.error.ClosedException;
import org.loam.engine.open.OwnedFiles;

/** The engine on a real directory, from the outside. */
class EngineTest {
  @TempDir Path directory;

  private static EngineConfig config() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .durability(Durability.PROCESS)
        .writeInitialBytes(8 << 20)
        .logSegmentBytes(4 << 20)
        .logMaxBytes(32 << 20)
        .sstableBytes(1 << 20)
        .build();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static byte[] key(int i) {
    return bytes(String.format("key%08d", i));
  }

  private static byte[] value(int i, int round) {
    return bytes(("value " + i + " of round " + round + " ").repeat(20));
  }

  @Test
  void aDirectoryHoldsADatabaseOnceOneWasOpenedThere() throws IOException {
    Path data = directory.resolve("data");
    assertThat(Engine.exists(data)).isFalse();
    Files.createDirectory(data);
    assertThat(Engine.exists(data)).isFalse();
    Engine.open(data, config()).close();
    assertThat(Engine.exists(data)).isTrue();
  }

  @Test
  void whatWasWrittenIsReadAlsoAfterReopening() {
    try (Engine engine = Engine.open(directory, config())) {
      Tree tree = engine.createTree("orders");
      tree.put(bytes("a"), bytes("1"));
      tree.put(bytes("b"), bytes("2"));
      tree.delete(bytes("a"));
      assertThat(tree.get(bytes("a"))).isNull();
      assertThat(tree.get(bytes("b"))).isEqualTo(bytes("2"));
    }
    try (Engine engine = Engine.open(directory, config())) {
      assertThat(engine.recovery().cleanlyClosed()).isTrue();
      assertThat(engine.recovery().replayedFrames()).isZero();
      Tree tree = engine.tree("orders");
      assertThat(tree.get(bytes("a"))).isNull();
      assertThat(tree.get(bytes("b"))).isEqualTo(bytes("2"));
    }
  }

  @Test
  void moreThanWriteMemoryGoesToDiskAndIsMerged() {
    int keys = 20_000;
    try (Engine engine = Engine.open(directory, config())) {
      Tree tree = engine.createTree("t");
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < keys; i++) {
          int k = (int) ((i * 7919L) % keys);
          tree.put(key(k), value(k, round));
        }
      }
      check(tree, keys, 3);
      engine.flush();
      check(tree, keys, 3);
      tree.compact();
      check(tree, keys, 3);
      EngineStatistics statistics = engine.statistics();
      assertThat(statistics.work().flushes()).isPositive();
      assertThat(statistics.work().merges()).isPositive();
      assertThat(statistics.memory().usedBytes())
          .isLessThanOrEqualTo(statistics.memory().totalBytes());
    }
    try (Engine engine = Engine.open(directory, config())) {
      check(engine.tree("t"), keys, 3);
    }
  }

  private static void check(Tree tree, int keys, int round) {
    for (int i = 0; i < keys; i += 37) {
      assertThat(tree.get(key(i))).as("key %d", i).isEqualTo(value(i, round));
    }
    int seen = 0;
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      while (cursor.next()) {
        assertThat(cursor.key()).isEqualTo(key(seen));
        assertThat(cursor.value()).isEqualTo(value(seen, round));
        seen++;
      }
    }
    assertThat(seen).isEqualTo(keys);
    try (Cursor cursor = tree.scan(ScanOptions.all().reverse())) {
      while (cursor.next()) {
        seen--;
        assertThat(cursor.key()).isEqualTo(key(seen));
      }
    }
    assertThat(seen).isZero();
  }

  @Test
  void aSnapshotSeesItsMomentWhateverIsFlushedAndMerged() {
    try (Engine engine = Engine.open(directory, config())) {
      Tree tree = engine.createTree("t");
      for (int i = 0; i < 1000; i++) {
        tree.put(key(i), value(i, 0));
      }
      try (Snapshot snapshot = engine.snapshot()) {
        for (int i = 0; i < 1000; i += 2) {
          tree.delete(key(i));
          tree.put(key(i + 1), value(i + 1, 1));
        }
        engine.flush();
        tree.compact();
        List<byte[]> keys = new ArrayList<>();
        try (Cursor cursor = snapshot.scan(tree, ScanOptions.all())) {
          while (cursor.next()) {
            keys.add(cursor.key());
          }
        }
        assertThat(keys).hasSize(1000);
        assertThat(snapshot.get(tree, key(8))).isEqualTo(value(8, 0));
        assertThat(snapshot.get(tree, key(9))).isEqualTo(value(9, 0));
      }
      assertThat(tree.get(key(8))).isNull();
      assertThat(tree.get(key(9))).isEqualTo(value(9, 1));
    }
  }

  @Test
  void compareAndPutWritesOnlyOnTheExpectedValue() {
    try (Engine engine = Engine.open(directory, config())) {
      Tree tree = engine.createTree("t");
      assertThat(tree.compareAndPut(bytes("k"), bytes("x"), bytes("y"))).isFalse();
      assertThat(tree.compareAndPut(bytes("k"), null, bytes("x"))).isTrue();
      assertThat(tree.compareAndPut(bytes("k"), null, bytes("y"))).isFalse();
      engine.flush();
      assertThat(tree.compareAndPut(bytes("k"), bytes("x"), bytes("y"))).isTrue();
      assertThat(tree.get(bytes("k"))).isEqualTo(bytes("y"));
      assertThat(tree.compareAndPut(bytes("k"), bytes("y"), null)).isTrue();
      assertThat(tree.get(bytes("k"))).isNull();
    }
  }

  @Test
  void aBatchSpansTrees() {
    try (Engine engine = Engine.open(directory, config())) {
      Tree a = engine.createTree("a");
      Tree b = engine.createTree("b");
      engine.write(new WriteBatch().put(a, bytes("k"), bytes("1")).put(b, bytes("k"), bytes("2")));
      assertThat(a.get(bytes("k"))).isEqualTo(bytes("1"));
      assertThat(b.get(bytes("k"))).isEqualTo(bytes("2"));
      engine.dropTree("a");
      assertThatThrownBy(() -> a.get(bytes("k"))).isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> engine.tree("aa"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("did you mean 'b'");
    }
    try (Engine engine = Engine.open(directory, config())) {
      assertThat(engine.hasTree("a")).isFalse();
      assertThat(engine.tree("b").get(bytes("k"))).isEqualTo(bytes("2"));
    }
  }

  @Test
  void largeValuesAreKept() {
    try (Engine engine = Engine.open(directory, config())) {
      Tree tree = engine.createTree("t");
      byte[] large = new byte[700_000];
      for (int i = 0; i < large.length; i++) {
        large[i] = (byte) (i * 31);
      }
      tree.put(bytes("large"), large);
      tree.put(bytes("small"), new byte[0]);
      assertThat(tree.get(bytes("large"))).isEqualTo(large);
      engine.flush();
      assertThat(tree.get(bytes("large"))).isEqualTo(large);
      assertThat(tree.get(bytes("small"))).isEmpty();
      try (Cursor cursor = tree.scan(ScanOptions.all())) {
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.value()).isEqualTo(large);
      }
      assertThatThrownBy(() -> tree.put(bytes("huge"), new byte[8 << 20]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must be at most");
    }
  }

  @Test
  void filesGoThroughThePageCacheIfTheConfigurationSaysSo() {
    boolean possible = writesDirectly(directory.resolve("a"), EngineConfig.builder());
    assumeTrue(possible, "this file system has no direct I/O");
    assertThat(
            writesDirectly(
                directory.resolve("b"), EngineConfig.builder().ioPageCache(PageCacheUse.ALL)))
        .isFalse();
  }

  @Test
  void theFilesOfTreesAreOpenedAsFilesOfPages() {
    StorageEnv real = RealEnv.create();
    List<Mode> modes = new CopyOnWriteArrayList<>();
    StorageFiles noting =
        (StorageFiles)
            Proxy.newProxyInstance(
                StorageFiles.class.getClassLoader(),
                new Class<?>[] {StorageFiles.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("open") && arguments[0].toString().endsWith(".sst")) {
                    modes.add((Mode) arguments[1]);
                  }
                  return method.invoke(real.files(), arguments);
                });
    StorageEnv env =
        new StorageEnv(noting, real.clock(), real.waiter(), real.tasks(), real.random());
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64 << 20).logSegmentBytes(4 << 20).build();
    try (Engine engine = Engine.open(env, directory.resolve("a"), config)) {
      engine.createTree("t").put(bytes("k"), bytes("v"));
      engine.flush();
    }
    assertThat(modes).containsExactly(Mode.CREATE, Mode.READ_PAGES);
    try (Engine engine = Engine.open(env, directory.resolve("a"), config)) {
      assertThat(engine.tree("t").get(bytes("k"))).isEqualTo(bytes("v"));
    }
    assertThat(modes).containsExactly(Mode.CREATE, Mode.READ_PAGES, Mode.READ_PAGES);
  }

  private static boolean writesDirectly(Path database, EngineConfigBuilder config) {
    try (Engine engine =
        Engine.open(database, config.memoryTotalBytes(64 << 20).logSegmentBytes(4 << 20).build())) {
      engine.createTree("t").put(bytes("k"), bytes("v"));
      engine.flush();
      OwnedFiles files = (OwnedFiles) engine.open().storage().env().files();
      return ((RealFiles) files.files()).isDirect(database.resolve("data"));
    }
  }
}
