package org.loam.it.model;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.assertj.core.api.Assertions;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.ClosedException;
import org.loam.engine.BulkLoad;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.EngineStatistics;
import org.loam.engine.ReadOptions;
import org.loam.engine.ScanOptions;
import org.loam.engine.Snapshot;
import org.loam.engine.Tree;
import org.loam.engine.WriteBatch;

/** Plays operations on the trees of an engine and on sorted maps, and compares every answer. */
final class ModelRun implements EngineRun {
  /** What can be done; how often stands in {@link #operations}. */
  enum Kind {
    PUT,
    DELETE,
    BATCH,
    GET,
    SCAN,
    COMPARE_AND_PUT,
    OPEN_CURSOR,
    ADVANCE_CURSORS,
    TAKE_SNAPSHOT,
    CHECK_SNAPSHOT,
    FLUSH,
    COMPACT,
    CHANGE_SCHEME,
    REOPEN,
    CREATE_TREE,
    DROP_TREE,
    BULK_LOAD
  }

  private static final int[] WEIGHTS = {300, 90, 60, 200, 40, 40, 6, 30, 6, 8, 4, 1, 2, 2, 2, 1, 2};

  /** Orders keys as the engine does. */
  private static final Comparator<byte[]> ORDER = Arrays::compareUnsigned;

  private static final int KEYS = 400;
  private static final int MAX_TREES = 4;

  private final StorageEnv env;
  private final Path directory;
  private final EngineConfig config;
  private final TreeMap<String, TreeMap<byte[], byte[]>> model = new TreeMap<>();
  private final List<OpenCursor> cursors = new ArrayList<>();
  private final List<OpenSnapshot> snapshots = new ArrayList<>();
  private final Work work = new Work();
  private Engine engine;

  private record OpenCursor(Cursor cursor, Iterator<Map.Entry<byte[], byte[]>> expected) {}

  private record OpenSnapshot(
      Snapshot snapshot, TreeMap<String, TreeMap<byte[], byte[]>> content) {}

  ModelRun(StorageEnv env, Path directory, EngineConfig config) {
    this.env = env;
    this.directory = directory;
    this.config = config;
    this.engine = Engine.open(env, directory, config);
  }

  static List<Operation> operations(long seed, int count) {
    return Operation.list(seed, count, Kind.values(), WEIGHTS, new Operation(Kind.CREATE_TREE, 1));
  }

  @Override
  public Work work() {
    return work;
  }

  @Override
  public void play(List<Operation> operations) {
    for (Operation operation : operations) {
      apply(operation);
    }
    checkAll();
    reopen();
    checkAll();
    closeReaders();
    engine.close();
  }

  private void apply(Operation operation) {
    RandomGenerator random = new SplittableRandom(operation.seed());
    if (operation.kind() == Kind.CREATE_TREE) {
      createTree(random);
      return;
    }
    if (model.isEmpty()) {
      return;
    }
    String name = treeName(random);
    Tree tree = engine.tree(name);
    TreeMap<byte[], byte[]> content = content(name);
    switch ((Kind) operation.kind()) {
      case PUT -> {
        byte[] key = key(random);
        byte[] value = value(random);
        tree.put(key, value);
        content.put(key, value);
      }
      case DELETE -> {
        byte[] key = key(random);
        tree.delete(key);
        content.remove(key);
      }
      case BATCH -> batch(random);
      case GET -> get(tree, content, random);
      case SCAN -> scan(tree, content, random);
      case COMPARE_AND_PUT -> compareAndPut(tree, content, random);
      case OPEN_CURSOR -> openCursor(tree, content, random);
      case ADVANCE_CURSORS -> advanceCursors(random);
      case TAKE_SNAPSHOT -> snapshots.add(new OpenSnapshot(engine.snapshot(), copy()));
      case CHECK_SNAPSHOT -> checkSnapshot(random);
      case FLUSH -> flush(tree, random);
      case COMPACT -> compact(tree, content, random);
      case CHANGE_SCHEME -> RandomConfig.changeScheme(engine, random);
      case REOPEN -> reopen();
      case DROP_TREE -> dropTree(name, tree);
      case BULK_LOAD -> bulkLoad(name, tree, random);
      case CREATE_TREE -> throw new AssertionError("handled before");
    }
  }

  private String treeName(RandomGenerator random) {
    return List.copyOf(model.keySet()).get(random.nextInt(model.size()));
  }

  private TreeMap<byte[], byte[]> content(String name) {
    TreeMap<byte[], byte[]> content = model.get(name);
    if (content == null) {
      throw new AssertionError(name);
    }
    return content;
  }

  private void createTree(RandomGenerator random) {
    String name = "tree" + random.nextInt(MAX_TREES);
    if (model.containsKey(name)) {
      Assertions.assertThatThrownBy(() -> engine.createTree(name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(name);
    } else {
      engine.createTree(name);
      model.put(name, new TreeMap<>(ORDER));
    }
  }

  private void dropTree(String name, Tree tree) {
    closeReaders();
    engine.dropTree(name);
    model.remove(name);
    Assertions.assertThatThrownBy(() -> tree.get(new byte[] {1}))
        .isInstanceOf(ClosedException.class)
        .hasMessageContaining(name);
  }

  /** Creates the tree anew, with sorted entries at once. */
  private void bulkLoad(String name, Tree tree, RandomGenerator random) {
    if (!content(name).isEmpty()) {
      Assertions.assertThatThrownBy(tree::bulkLoad)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(name);
    }
    closeReaders();
    engine.dropTree(name);
    Tree fresh = engine.createTree(name);
    TreeMap<byte[], byte[]> loaded = new TreeMap<>(ORDER);
    for (int i = random.nextInt(600); i > 0; i--) {
      loaded.put(key(random), value(random));
    }
    model.put(name, new TreeMap<>(ORDER));
    snapshots.add(new OpenSnapshot(engine.snapshot(), copy()));
    try (BulkLoad load = fresh.bulkLoad()) {
      loaded.forEach(load::add);
      if (random.nextInt(4) != 0) {
        load.commit();
        model.put(name, loaded);
      }
    }
  }

  private void batch(RandomGenerator random) {
    WriteBatch batch = new WriteBatch();
    int count = 1 + random.nextInt(20);
    for (int i = 0; i < count; i++) {
      String name = treeName(random);
      byte[] key = key(random);
      if (random.nextInt(3) == 0) {
        batch.delete(engine.tree(name), key);
        content(name).remove(key);
      } else {
        byte[] value = new byte[random.nextInt(200)];
        random.nextBytes(value);
        batch.put(engine.tree(name), key, value);
        content(name).put(key, value);
      }
    }
    engine.write(batch);
  }

  private static void get(Tree tree, TreeMap<byte[], byte[]> content, RandomGenerator random) {
    byte[] key = key(random);
    byte[] expected = content.get(key);
    switch (random.nextInt(3)) {
      case 0 -> Ledger.compare("get", tree.get(key), expected);
      case 1 ->
          Ledger.compare(
              "get past the cache", tree.get(key, ReadOptions.WITHOUT_CACHE_FILL), expected);
      default -> {
        byte[] target = new byte[random.nextInt(3000)];
        int length = tree.get(key, target);
        Assertions.assertThat(length).isEqualTo(expected == null ? Tree.ABSENT : expected.length);
        if (expected != null) {
          int copied = Math.min(length, target.length);
          Assertions.assertThat(Arrays.equals(target, 0, copied, expected, 0, copied)).isTrue();
        }
      }
    }
  }

  private static void compareAndPut(
      Tree tree, TreeMap<byte[], byte[]> content, RandomGenerator random) {
    byte[] key = key(random);
    byte[] now = content.get(key);
    byte[] next = random.nextInt(4) == 0 ? null : value(random);
    if (random.nextBoolean()) {
      byte[] wrong = now == null ? new byte[] {7} : null;
      Assertions.assertThat(tree.compareAndPut(key, wrong, next)).isFalse();
    } else {
      Assertions.assertThat(tree.compareAndPut(key, now, next)).isTrue();
      if (next == null) {
        content.remove(key);
      } else {
        content.put(key, next);
      }
    }
  }

  // ---- Ranges.

  /** The same range, for the engine and of the model. */
  private record Range(ScanOptions options, NavigableMap<byte[], byte[]> expected) {}

  private static Range range(TreeMap<byte[], byte[]> content, RandomGenerator random) {
    ScanOptions options = ScanOptions.all();
    NavigableMap<byte[], byte[]> expected = content;
    switch (random.nextInt(5)) {
      case 0 -> {}
      case 1 -> {
        byte[] prefix = Arrays.copyOf(key(random), 1 + random.nextInt(2));
        options = options.prefix(prefix);
        expected = new TreeMap<>(ORDER);
        for (Map.Entry<byte[], byte[]> entry : content.entrySet()) {
          byte[] key = entry.getKey();
          int common = Math.min(prefix.length, key.length);
          if (common == prefix.length && Arrays.equals(key, 0, common, prefix, 0, common)) {
            expected.put(key, entry.getValue());
          }
        }
      }
      case 2 -> {
        byte[] from = key(random);
        options = options.from(from);
        expected = expected.tailMap(from, true);
      }
      case 3 -> {
        byte[] to = key(random);
        options = options.to(to);
        expected = expected.headMap(to, false);
      }
      default -> {
        byte[] a = key(random);
        byte[] b = key(random);
        byte[] from = ORDER.compare(a, b) <= 0 ? a : b;
        byte[] to = from == a ? b : a;
        options = options.from(from).to(to);
        expected = expected.subMap(from, true, to, false);
      }
    }
    if (random.nextBoolean()) {
      options = options.reverse();
      expected = expected.descendingMap();
    }
    return new Range(random.nextInt(4) == 0 ? options.withoutCacheFill() : options, expected);
  }

  private static void scan(Tree tree, TreeMap<byte[], byte[]> content, RandomGenerator random) {
    Range range = range(content, random);
    int limit = random.nextInt(3) == 0 ? random.nextInt(20) : Integer.MAX_VALUE;
    boolean told = random.nextBoolean();
    ScanOptions options = told ? range.options().limit(limit) : range.options();
    Iterator<Map.Entry<byte[], byte[]>> expected = range.expected().entrySet().iterator();
    try (Cursor cursor = tree.scan(options)) {
      compare(cursor, expected, limit);
      Assertions.assertThat(told && cursor.next()).as("an entry above the limit").isFalse();
    }
  }

  private static void compare(
      Cursor cursor, Iterator<Map.Entry<byte[], byte[]>> expected, int limit) {
    for (int i = 0; i < limit; i++) {
      boolean found = cursor.next();
      Assertions.assertThat(found).as("an entry").isEqualTo(expected.hasNext());
      if (!found) {
        return;
      }
      Map.Entry<byte[], byte[]> entry = expected.next();
      Ledger.compare("scanned key", cursor.key(), entry.getKey());
      Ledger.compare("scanned value", cursor.value(), entry.getValue());
    }
  }

  // ---- Readers that stay open while the tree changes.

  private void openCursor(Tree tree, TreeMap<byte[], byte[]> content, RandomGenerator random) {
    Range range = range(new TreeMap<>(content), random);
    cursors.add(new OpenCursor(tree.scan(range.options()), range.expected().entrySet().iterator()));
  }

  private void advanceCursors(RandomGenerator random) {
    for (OpenCursor open : cursors) {
      compare(open.cursor(), open.expected(), random.nextInt(30));
    }
    if (cursors.size() > 3) {
      cursors.remove(0).cursor().close();
    }
  }

  private TreeMap<String, TreeMap<byte[], byte[]>> copy() {
    TreeMap<String, TreeMap<byte[], byte[]>> copy = new TreeMap<>();
    model.forEach((name, content) -> copy.put(name, new TreeMap<>(content)));
    return copy;
  }

  private void checkSnapshot(RandomGenerator random) {
    if (snapshots.isEmpty()) {
      return;
    }
    OpenSnapshot open = snapshots.get(random.nextInt(snapshots.size()));
    for (Map.Entry<String, TreeMap<byte[], byte[]>> entry : open.content().entrySet()) {
      Tree tree = engine.tree(entry.getKey());
      Range range = range(entry.getValue(), random);
      try (Cursor cursor = open.snapshot().scan(tree, range.options())) {
        compare(cursor, range.expected().entrySet().iterator(), Integer.MAX_VALUE);
      }
      byte[] key = key(random);
      Ledger.compare("snapshot", open.snapshot().get(tree, key), entry.getValue().get(key));
    }
    if (snapshots.size() > 2) {
      snapshots.remove(open);
      open.snapshot().close();
    }
  }

  private void closeReaders() {
    cursors.forEach(open -> open.cursor().close());
    cursors.clear();
    snapshots.forEach(open -> open.snapshot().close());
    snapshots.clear();
  }

  // ---- Maintenance.

  private void flush(Tree tree, RandomGenerator random) {
    if (random.nextBoolean()) {
      tree.flush();
    } else {
      engine.flush();
    }
  }

  /**
   * Compacts under the readers that are open, and sometimes once more without them: then there are
   * no other entries than those that show.
   */
  private void compact(Tree tree, TreeMap<byte[], byte[]> content, RandomGenerator random) {
    tree.compact();
    if (random.nextBoolean()) {
      closeReaders();
      tree.compact();
      long entries =
          engine.statistics().trees().stream()
              .filter(statistics -> statistics.name().equals(tree.name()))
              .flatMap(statistics -> statistics.levels().stream())
              .mapToLong(EngineStatistics.LevelStatistics::entries)
              .sum();
      Assertions.assertThat(entries).as("entries after a compaction").isEqualTo(content.size());
    }
  }

  private void reopen() {
    closeReaders();
    work.note(engine.statistics());
    Engine old = engine;
    old.close();
    Assertions.assertThatThrownBy(old::trees).isInstanceOf(ClosedException.class);
    engine = Engine.open(env, directory, config);
    Assertions.assertThat(engine.recovery().cleanlyClosed()).as("cleanly closed").isTrue();
  }

  private void checkAll() {
    Assertions.assertThat(engine.trees().stream().map(Tree::name).toList())
        .isEqualTo(List.copyOf(model.keySet()));
    for (Map.Entry<String, TreeMap<byte[], byte[]>> entry : model.entrySet()) {
      Tree tree = engine.tree(entry.getKey());
      try (Cursor cursor = tree.scan(ScanOptions.all())) {
        compare(cursor, entry.getValue().entrySet().iterator(), Integer.MAX_VALUE);
      }
    }
  }

  // ---- Keys and values.

  /** One of a few hundred keys of all lengths; some are prefixes of others. */
  private static byte[] key(RandomGenerator random) {
    SplittableRandom own = new SplittableRandom(random.nextInt(KEYS));
    int length = own.nextInt(10) == 0 ? 1 + own.nextInt(900) : 1 + own.nextInt(6);
    byte[] key = new byte[length];
    for (int i = 0; i < length; i++) {
      key[i] = (byte) (own.nextInt(3) - 1);
    }
    return key;
  }

  private static byte[] value(RandomGenerator random) {
    int length =
        switch (random.nextInt(30)) {
          case 0 -> 0;
          case 1 -> 1000 + random.nextInt(14_000);
          default -> random.nextInt(300);
        };
    byte[] value = new byte[length];
    random.nextBytes(value);
    return value;
  }

  @Override
  public Engine engine() {
    return engine;
  }
}
