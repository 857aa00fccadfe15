package org.loam.it.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.ClosedException;
import org.loam.engine.Cursor;
import org.loam.engine.Dataset;
import org.loam.engine.DatasetBatch;
import org.loam.engine.Datasets;
import org.loam.engine.Engine;
import org.loam.engine.IndexCursor;
import org.loam.engine.RecordCursor;
import org.loam.engine.ScanOptions;
import org.loam.engine.Tree;
import org.loam.engine.WriteOptions;
import org.loam.it.orders.Order;
import org.loam.it.orders.OrderIndex;
import org.loam.it.orders.OrderIndex.Entry;
import org.loam.it.orders.OrderQuery;

/**
 * Plays operations on datasets of an engine, with a tree beside them, and on sorted maps, from
 * which the answers of indexes are computed anew each time; compares every answer.
 */
final class DatasetModelRun implements EngineRun {
  /** What can be done; how often stands in {@link #WEIGHTS}. */
  enum Kind {
    UPSERT,
    INSERT,
    DELETE,
    BATCH,
    GET,
    GET_ALL,
    SCAN,
    QUERY,
    OPEN_CURSOR,
    ADVANCE_CURSORS,
    PUT_BESIDE,
    FLUSH,
    COMPACT_BESIDE,
    CHANGE_SCHEME,
    CREATE_INDEX,
    DROP_INDEX,
    REOPEN,
    CREATE_DATASET,
    DROP_DATASET
  }

  private static final int[] WEIGHTS = {
    320, 70, 80, 60, 60, 20, 20, 120, 16, 40, 40, 4, 1, 2, 12, 6, 3, 4, 2
  };

  private static final String BESIDE = "beside";
  private static final int KEYS = 250;
  private static final int MAX_DATASETS = 3;
  private static final int MAX_CURSORS = 5;

  private final StorageEnv env;
  private final Path directory;
  private final EngineConfig config;
  private final TreeMap<String, Model> model = new TreeMap<>();
  private final TreeMap<String, byte[]> beside = new TreeMap<>();
  private final List<OpenCursor> cursors = new ArrayList<>();
  private final Work work = new Work();
  private Engine engine;

  /** What a dataset must contain, and its handle. */
  private static final class Model {
    private final String name;
    private final TreeMap<String, byte[]> records = new TreeMap<>();
    private final Set<OrderIndex> indexes = EnumSet.noneOf(OrderIndex.class);
    private @Nullable Dataset handle;

    Model(String name) {
      this.name = name;
    }

    Dataset dataset() {
      if (handle == null) {
        throw new AssertionError(name + " was not opened");
      }
      return handle;
    }

    OrderIndex anyIndex(RandomGenerator random) {
      return List.copyOf(indexes).get(random.nextInt(indexes.size()));
    }
  }

  /** A query that stays open, and what it has still to show. */
  private record OpenCursor(
      Model of, OrderIndex index, RecordCursor records, IndexCursor keys, Iterator<Entry> expected)
      implements AutoCloseable {
    static OpenCursor of(Model one, OrderIndex index, OrderQuery query) {
      return new OpenCursor(
          one,
          index,
          one.dataset().query(index.title(), query.query()),
          one.dataset().queryKeys(index.title(), query.query()),
          query.of(index.entries(one.records)).iterator());
    }

    /** Compares the next entries, or as many as are left. */
    void compare(int most) {
      String what = "index " + index.title() + " of " + of.name;
      for (int i = 0; i < most; i++) {
        boolean found = records.next();
        Assertions.assertThat(found).as(what + " has another record").isEqualTo(expected.hasNext());
        Assertions.assertThat(keys.next()).as(what + " has another key").isEqualTo(found);
        if (!found) {
          return;
        }
        Entry entry = expected.next();
        index.check(what, records, entry);
        index.check(what, keys, entry);
      }
    }

    @Override
    public void close() {
      records.close();
      keys.close();
    }
  }

  DatasetModelRun(StorageEnv env, Path directory, EngineConfig config) {
    this.env = env;
    this.directory = directory;
    this.config = config;
    this.engine = Engine.open(env, directory, config);
    engine.createTree(BESIDE);
  }

  static List<Operation> operations(long seed, int count) {
    return Operation.list(
        seed, count, Kind.values(), WEIGHTS, new Operation(Kind.CREATE_DATASET, 1));
  }

  @Override
  public Work work() {
    return work;
  }

  @Override
  public Engine engine() {
    return engine;
  }

  @Override
  public void play(List<Operation> operations) {
    for (Operation operation : operations) {
      apply((Kind) operation.kind(), new SplittableRandom(operation.seed()));
    }
    checkAll();
    reopen(new SplittableRandom(operations.size()));
    checkAll();
    closeCursors(null);
    engine.close();
  }

  private void apply(Kind kind, RandomGenerator random) {
    if (kind == Kind.CREATE_DATASET) {
      createDataset(random);
      return;
    }
    if (model.isEmpty()) {
      return;
    }
    Model one = any(random);
    switch (kind) {
      case UPSERT -> upsert(one, random);
      case INSERT -> insert(one, random);
      case DELETE -> delete(one, random);
      case BATCH -> batch(random);
      case GET -> get(one, random);
      case GET_ALL -> getAll(one, random);
      case SCAN -> scan(one, random);
      case QUERY -> query(one, random);
      case OPEN_CURSOR -> openCursor(one, random);
      case ADVANCE_CURSORS -> advanceCursors(random);
      case PUT_BESIDE -> putBeside(random);
      case FLUSH -> engine.flush();
      case COMPACT_BESIDE -> engine.tree(BESIDE).compact();
      case CHANGE_SCHEME -> RandomConfig.changeScheme(engine, random);
      case CREATE_INDEX -> createIndex(one, random);
      case DROP_INDEX -> dropIndex(one, random);
      case REOPEN -> reopen(random);
      case DROP_DATASET -> dropDataset(one);
      case CREATE_DATASET -> throw new AssertionError("handled before");
    }
  }

  private Model any(RandomGenerator random) {
    return List.copyOf(model.values()).get(random.nextInt(model.size()));
  }

  // ---- Writing.

  private static void upsert(Model one, RandomGenerator random) {
    String key = key(random);
    byte[] record = record(random);
    if (random.nextInt(8) == 0) {
      one.dataset().upsert(key.getBytes(UTF_8), record, WriteOptions.DEFAULT.sync());
    } else {
      one.dataset().upsert(key.getBytes(UTF_8), record);
    }
    one.records.put(key, record);
  }

  private static void insert(Model one, RandomGenerator random) {
    String key = key(random);
    byte[] record = record(random);
    boolean absent = !one.records.containsKey(key);
    Assertions.assertThat(one.dataset().insert(key.getBytes(UTF_8), record)).isEqualTo(absent);
    if (absent) {
      one.records.put(key, record);
    }
  }

  private static void delete(Model one, RandomGenerator random) {
    String key = key(random);
    one.dataset().delete(key.getBytes(UTF_8));
    one.records.remove(key);
  }

  private void batch(RandomGenerator random) {
    DatasetBatch batch = new DatasetBatch();
    for (int i = 1 + random.nextInt(8); i > 0; i--) {
      Model one = any(random);
      String key = key(random);
      if (random.nextInt(3) == 0) {
        batch.delete(one.dataset(), key.getBytes(UTF_8));
        one.records.remove(key);
      } else {
        byte[] record = Order.random(random, random.nextInt(100)).encode();
        batch.upsert(one.dataset(), key.getBytes(UTF_8), record);
        one.records.put(key, record);
      }
    }
    engine.datasets().write(batch);
  }

  private void putBeside(RandomGenerator random) {
    String key = key(random);
    byte[] value = new byte[random.nextInt(200)];
    random.nextBytes(value);
    engine.tree(BESIDE).put(key.getBytes(UTF_8), value);
    beside.put(key, value);
  }

  // ---- Reading.

  private static void get(Model one, RandomGenerator random) {
    String key = key(random);
    byte[] expected = one.records.get(key);
    if (random.nextBoolean()) {
      Ledger.compare("get " + key, one.dataset().get(key.getBytes(UTF_8)), expected);
    } else {
      int length = one.dataset().get(key.getBytes(UTF_8), new byte[10]);
      Assertions.assertThat(length).isEqualTo(expected == null ? Tree.ABSENT : expected.length);
    }
  }

  private static void getAll(Model one, RandomGenerator random) {
    List<byte[]> keys = new ArrayList<>();
    List<byte @Nullable []> expected = new ArrayList<>();
    for (int i = random.nextInt(120); i > 0; i--) {
      String key = key(random);
      keys.add(key.getBytes(UTF_8));
      expected.add(one.records.get(key));
    }
    List<byte @Nullable []> found = one.dataset().getAll(keys);
    Assertions.assertThat(found).hasSameSizeAs(keys);
    for (int i = 0; i < found.size(); i++) {
      Ledger.compare("one of " + found.size() + " records", found.get(i), expected.get(i));
    }
  }

  private static void scan(Model one, RandomGenerator random) {
    NavigableMap<String, byte[]> expected = one.records;
    ScanOptions options = ScanOptions.all();
    if (random.nextBoolean()) {
      String from = key(random);
      options = options.from(from.getBytes(UTF_8));
      expected = expected.tailMap(from, true);
    }
    if (random.nextBoolean()) {
      options = options.reverse();
      expected = expected.descendingMap();
    }
    try (Cursor cursor = one.dataset().scan(options)) {
      Ledger.compare("scan of " + one.name, cursor, expected);
    }
  }

  private static OrderQuery anyQuery(OrderIndex index, RandomGenerator random) {
    OrderQuery query = OrderQuery.random(index, random);
    return random.nextInt(3) == 0 ? query.limit(random.nextInt(40)) : query;
  }

  private static void query(Model one, RandomGenerator random) {
    if (one.indexes.isEmpty()) {
      Assertions.assertThatThrownBy(() -> one.dataset().query("country", OrderQuery.all().query()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no index 'country'");
      return;
    }
    OrderIndex index = one.anyIndex(random);
    check(one, index, anyQuery(index, random));
  }

  private static void check(Model one, OrderIndex index, OrderQuery query) {
    try (OpenCursor cursor = OpenCursor.of(one, index, query)) {
      cursor.compare(Integer.MAX_VALUE);
    }
  }

  /** Whatever is written while it is open, it shows the moment when it was opened. */
  private void openCursor(Model one, RandomGenerator random) {
    if (!one.indexes.isEmpty()) {
      OrderIndex index = one.anyIndex(random);
      cursors.add(OpenCursor.of(one, index, anyQuery(index, random)));
    }
  }

  private void advanceCursors(RandomGenerator random) {
    for (OpenCursor open : cursors) {
      open.compare(random.nextInt(25));
    }
    if (cursors.size() > MAX_CURSORS) {
      cursors.remove(0).close();
    }
  }

  /** Closes those of a dataset, or all. */
  private void closeCursors(@Nullable Model of) {
    for (OpenCursor open : List.copyOf(cursors)) {
      if (of == null || open.of() == of) {
        open.close();
        cursors.remove(open);
      }
    }
  }

  // ---- Datasets and indexes that come and go.

  private void createDataset(RandomGenerator random) {
    String name = "orders" + random.nextInt(MAX_DATASETS);
    Model created = new Model(name);
    for (int i = random.nextInt(4); i > 0; i--) {
      created.indexes.add(OrderIndex.values()[random.nextInt(OrderIndex.values().length)]);
    }
    Datasets datasets = engine.datasets();
    if (model.containsKey(name)) {
      Assertions.assertThatThrownBy(() -> datasets.create(name, Order.RULE, List.of()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(name);
    } else {
      created.handle = datasets.create(name, Order.RULE, OrderIndex.definitions(created.indexes));
      model.put(name, created);
    }
  }

  private void dropDataset(Model one) {
    closeCursors(one);
    engine.datasets().drop(one.name);
    model.remove(one.name);
    Assertions.assertThatThrownBy(() -> one.dataset().get(new byte[] {1}))
        .isInstanceOf(ClosedException.class)
        .hasMessageContaining(one.name);
    checkTrees(one.name, EnumSet.noneOf(OrderIndex.class), false);
  }

  private static void createIndex(Model one, RandomGenerator random) {
    OrderIndex index = OrderIndex.values()[random.nextInt(OrderIndex.values().length)];
    if (one.indexes.contains(index)) {
      Assertions.assertThatThrownBy(() -> one.dataset().createIndex(index.definition()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(index.title());
    } else {
      one.dataset().createIndex(index.definition());
      one.indexes.add(index);
      check(one, index, OrderQuery.all());
    }
  }

  private void dropIndex(Model one, RandomGenerator random) {
    if (!one.indexes.isEmpty()) {
      OrderIndex index = one.anyIndex(random);
      one.dataset().dropIndex(index.title());
      one.indexes.remove(index);
      for (OpenCursor open : List.copyOf(cursors)) {
        if (open.of() == one && open.index() == index) {
          open.close();
          cursors.remove(open);
        }
      }
      checkTrees(one.name, one.indexes, true);
    }
  }

  /** A dataset has the trees of its records and indexes, and no other. */
  private void checkTrees(String name, Set<OrderIndex> indexes, boolean there) {
    Assertions.assertThat(engine.hasTree(name)).as("tree of " + name).isEqualTo(there);
    for (OrderIndex index : OrderIndex.values()) {
      Assertions.assertThat(engine.hasTree(name + "/" + index.title()))
          .as("tree of index " + index.title() + " of " + name)
          .isEqualTo(indexes.contains(index));
    }
  }

  private void reopen(RandomGenerator random) {
    closeCursors(null);
    work.note(engine.statistics());
    engine.close();
    engine = Engine.open(env, directory, config);
    Assertions.assertThat(engine.recovery().cleanlyClosed()).as("cleanly closed").isTrue();
    for (Model one : model.values()) {
      open(one, random);
    }
  }

  private void open(Model one, RandomGenerator random) {
    Datasets datasets = engine.datasets();
    Set<OrderIndex> wrong = EnumSet.copyOf(one.indexes);
    OrderIndex index = OrderIndex.values()[random.nextInt(OrderIndex.values().length)];
    if (!wrong.remove(index)) {
      wrong.add(index);
    }
    Assertions.assertThatThrownBy(
            () -> datasets.open(one.name, Order.RULE, OrderIndex.definitions(wrong)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(index.title());
    Assertions.assertThatThrownBy(
            () -> datasets.open(one.name, "v0", OrderIndex.definitions(one.indexes)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Order.RULE);
    one.handle = datasets.open(one.name, Order.RULE, OrderIndex.definitions(one.indexes));
  }

  private void checkAll() {
    Assertions.assertThat(engine.datasets().list().stream().map(d -> d.name()).toList())
        .isEqualTo(List.copyOf(model.keySet()));
    Assertions.assertThat(engine.trees()).containsExactly(engine.tree(BESIDE));
    try (Cursor cursor = engine.tree(BESIDE).scan(ScanOptions.all())) {
      Ledger.compare(BESIDE, cursor, beside);
    }
    for (Model one : model.values()) {
      checkTrees(one.name, one.indexes, true);
      try (Cursor cursor = one.dataset().scan(ScanOptions.all())) {
        Ledger.compare(one.name, cursor, one.records);
      }
      for (OrderIndex index : one.indexes) {
        check(one, index, OrderQuery.all());
      }
    }
  }

  // ---- Keys and records.

  /** One of a few hundred keys; some are prefixes of others, some long. */
  private static String key(RandomGenerator random) {
    int number = random.nextInt(KEYS);
    String key = Integer.toString(number);
    return number % 10 == 0 ? key + "x".repeat(number) : key;
  }

  private static byte[] record(RandomGenerator random) {
    int filling =
        switch (random.nextInt(30)) {
          case 0 -> 0;
          case 1 -> 1000 + random.nextInt(10_000);
          default -> random.nextInt(300);
        };
    return Order.random(random, filling).encode();
  }
}
