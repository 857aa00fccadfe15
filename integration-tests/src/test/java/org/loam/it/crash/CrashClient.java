package org.loam.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.ClosedException;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.ScanOptions;
import org.loam.engine.Snapshot;
import org.loam.engine.Tree;
import org.loam.engine.WriteBatch;
import org.loam.engine.WriteOptions;
import org.loam.it.Digits;
import org.loam.it.crash.ClientHistory.Batch;
import org.loam.it.crash.ClientHistory.Change;
import org.loam.it.orders.Order;

/**
 * A client with keys of its own that remembers what it wrote. Every batch also writes the batch's
 * number, so after a crash the engine says how far this client's history goes; its content must be
 * exactly that prefix. It has trees of its own, too, one that it drops and creates anew and one
 * that it loads. Where there are datasets, some of its batches go to them.
 */
final class CrashClient {
  private static final String MAIN = SharedWorld.TREES.get(0);
  private static final int MAX_HELD = 3;

  /** Of the operations, where there is a dataset. */
  private static final int ORDERS_PERCENT = 40;

  /** A snapshot that stays open while writes, flushes and merges go on, and what it must show. */
  private record Held(Snapshot snapshot, Map<String, TreeMap<String, byte[]>> content) {}

  private final int id;
  private final String prefix;
  private final SharedWorld world;
  private final ClientHistory history = new ClientHistory();
  private final Owned ownTree;
  private final LoadedTree loadedTree;
  private final @Nullable ClientOrders orders;
  private final List<Held> held = new ArrayList<>();
  private long acknowledged;
  private long forced;
  private long seen;
  private long operations;

  CrashClient(int id, SharedWorld world) {
    this.id = id;
    this.prefix = "c" + id + "/";
    this.world = world;
    this.ownTree = Owned.tree("own-" + id + "-");
    this.loadedTree = new LoadedTree("loaded-" + id);
    SharedOrders shared = world.orders();
    this.orders = shared == null ? null : new ClientOrders(this, shared, id);
  }

  long operations() {
    return operations;
  }

  /** Bulk loads that were committed. */
  long loads() {
    return loadedTree.loads();
  }

  /** Number of the last batch that was acknowledged. */
  long acknowledged() {
    return acknowledged;
  }

  /** Number of the last batch that must survive everything, in any database. */
  long forced() {
    return forced;
  }

  /** Number of the last batch that was acknowledged, or that another client has read. */
  long visible() {
    return Math.max(acknowledged, seen);
  }

  /** Works until it has done its operations, is fenced, or a crash ends it. */
  void work(Engine engine, RandomGenerator random, int count) {
    try {
      for (int i = 0; i < count; i++) {
        try {
          operate(engine, random);
        } catch (FencedException e) {
          world.excuse(e);
          return;
        } catch (StorageException e) {
          world.excuse(e);
        }
        operations++;
      }
    } finally {
      closeSnapshots();
    }
  }

  private void operate(Engine engine, RandomGenerator random) {
    if (orders != null && random.nextInt(100) < ORDERS_PERCENT) {
      orders.operate(engine, random);
      return;
    }
    int dice = random.nextInt(1000);
    if (dice < 700) {
      write(engine, random);
    } else if (dice < 850) {
      checkGet(engine, random);
    } else if (dice < 900) {
      checkScan(engine, random);
    } else if (dice < 930) {
      openSnapshot(engine);
    } else if (dice < 950) {
      checkSnapshot(engine, random);
    } else if (dice < 970) {
      world.increment(engine);
    } else if (dice < 985) {
      world.lookAtOthers(engine, this, random);
    } else if (dice < 990) {
      engine.flush();
      forced = acknowledged;
    } else if (dice < 992) {
      world.healDisk();
      compact(engine.tree(SharedWorld.TREES.get(random.nextInt(SharedWorld.TREES.size()))), random);
    } else if (dice < 995) {
      ownTree.change(engine);
    } else if (dice < 997) {
      loadedTree.change(engine, random);
    } else {
      compareAndPut(engine, random);
    }
  }

  /** Sometimes once more without its snapshots, for which the last level had to keep versions. */
  private void compact(Tree tree, RandomGenerator random) {
    tree.compact();
    if (random.nextBoolean()) {
      closeSnapshots();
      tree.compact();
    }
  }

  private void closeSnapshots() {
    held.forEach(h -> h.snapshot().close());
    held.clear();
  }

  private void write(Engine engine, RandomGenerator random) {
    byte[] numberBytes = Long.toString(nextNumber()).getBytes(UTF_8);
    List<Change> changes = new ArrayList<>();
    changes.add(new Change(MAIN, numberKey(), numberBytes));
    boolean large = random.nextInt(10) != 0;
    int size = large ? 1 : 1 + random.nextInt(12);
    if (size > 1) {
      for (String tree : SharedWorld.TREES) {
        changes.add(new Change(tree, pairKey(), numberBytes));
      }
    }
    for (int i = 0; i < size; i++) {
      byte[] value = random.nextInt(4) == 0 ? null : world.value(random, large);
      changes.add(new Change(anyTree(random), key(random), value));
    }
    commit(changes, random, options -> engine.write(batchOf(engine, changes), options));
  }

  /** The number that the next batch must write. */
  long nextNumber() {
    return history.lastNumber() + 1;
  }

  /** Writes a batch, which has its number among its changes, and remembers what became of it. */
  void commit(List<Change> changes, RandomGenerator random, Consumer<WriteOptions> write) {
    long number = nextNumber();
    boolean sync = random.nextInt(20) == 0;
    history.add(new Batch(number, changes, world.acknowledged()));
    try {
      write.accept(sync ? WriteOptions.DEFAULT.sync() : WriteOptions.DEFAULT);
    } catch (FencedException e) {
      throw e;
    } catch (StorageException e) {
      // Every fault but the fence says that nothing was written.
      history.refuseLast();
      if (e instanceof DiskFullException && random.nextInt(4) == 0) {
        world.healDisk();
      }
      throw e;
    }
    acknowledged = number;
    if (sync) {
      forced = number;
    }
  }

  private static WriteBatch batchOf(Engine engine, List<Change> changes) {
    WriteBatch batch = new WriteBatch();
    for (Change c : changes) {
      byte[] key = c.key().getBytes(UTF_8);
      byte[] value = c.value();
      if (value == null) {
        batch.delete(engine.tree(c.tree()), key);
      } else {
        batch.put(engine.tree(c.tree()), key, value);
      }
    }
    return batch;
  }

  /** Sets a key of its own to what it has; changes nothing, but goes the whole way of a write. */
  private void compareAndPut(Engine engine, RandomGenerator random) {
    String tree = anyTree(random);
    String key = key(random);
    byte[] name = key.getBytes(UTF_8);
    byte[] now = history.content(tree).get(key);
    byte[] wrong = {1, 2, 3};
    Check.that(!engine.tree(tree).compareAndPut(name, wrong, wrong), "took a wrong value");
    Check.that(engine.tree(tree).compareAndPut(name, now, now), "refused the right value");
  }

  private void checkGet(Engine engine, RandomGenerator random) {
    String tree = anyTree(random);
    String key = key(random);
    byte[] found = engine.tree(tree).get(key.getBytes(UTF_8));
    Check.same(what("get " + key), found, history.content(tree).get(key));
  }

  private void checkScan(Engine engine, RandomGenerator random) {
    String tree = anyTree(random);
    NavigableMap<String, byte[]> content = new TreeMap<>(history.content(tree));
    boolean reverse = random.nextBoolean();
    ScanOptions options = reverse ? ownKeys().reverse() : ownKeys();
    try (Cursor cursor = engine.tree(tree).scan(options)) {
      for (int i = random.nextInt(4); i > 0; i--) {
        write(engine, random);
      }
      Check.entries(what("scan"), cursor, reverse ? content.descendingMap() : content);
    }
  }

  private void openSnapshot(Engine engine) {
    if (held.size() == MAX_HELD) {
      held.remove(0).snapshot().close();
    }
    held.add(new Held(engine.snapshot(), history.contentNow()));
  }

  private void checkSnapshot(Engine engine, RandomGenerator random) {
    if (held.isEmpty()) {
      return;
    }
    Held h = held.get(random.nextInt(held.size()));
    String tree = SharedWorld.TREES.get(random.nextInt(SharedWorld.TREES.size()));
    TreeMap<String, byte[]> content = h.content().getOrDefault(tree, new TreeMap<>());
    String key = key(random);
    byte[] found = h.snapshot().get(engine.tree(tree), key.getBytes(UTF_8));
    Check.same(what("snapshot get " + key), found, content.get(key));
    try (Cursor cursor = h.snapshot().scan(engine.tree(tree), ownKeys())) {
      Check.entries(what("snapshot"), cursor, content);
    }
  }

  /** Another client looks: batches are whole, and what was seen stays. */
  void beSeen(Engine engine, Snapshot snapshot, List<String> trees) {
    byte[] first = snapshot.get(engine.tree(trees.get(0)), pairKey().getBytes(UTF_8));
    byte[] second = snapshot.get(engine.tree(trees.get(1)), pairKey().getBytes(UTF_8));
    Check.same(what("a batch in both trees"), second, first);
    byte[] stored = snapshot.get(engine.tree(MAIN), numberKey().getBytes(UTF_8));
    seen = Math.max(seen, numberIn(stored));
    if (orders != null) {
      seen = Math.max(seen, orders.number());
    }
  }

  /**
   * How far its history goes in a reopened engine, whose content is checked.
   *
   * @param required number of the batch that must be there with all before it
   */
  long verify(Engine engine, long required) {
    long number = numberIn(engine.tree(MAIN).get(numberKey().getBytes(UTF_8)));
    if (orders != null) {
      orders.reopen(engine);
      number = Math.max(number, orders.number());
    }
    Check.that(number >= required, what("lost: batch " + required + ", found " + number));
    Check.that(number <= history.lastNumber(), what("batch " + number + " was never written"));
    Map<String, TreeMap<String, byte[]>> content = history.contentAt(number);
    String own = ownTree.verify(engine);
    loadedTree.verify(engine);
    List<String> trees = new ArrayList<>(SharedWorld.TREES);
    if (own != null) {
      trees.add(own);
    }
    for (String tree : trees) {
      try (Cursor cursor = engine.tree(tree).scan(ownKeys())) {
        TreeMap<String, byte[]> expected = content.getOrDefault(tree, new TreeMap<>());
        Check.entries(what("batch " + number + ", tree " + tree), cursor, expected);
      }
    }
    if (orders != null) {
      orders.verify("batch " + number + ", ", content);
    }
    return number;
  }

  /** Of each client, the batch that must be there if the given one of this client is. */
  long @Nullable [] before(long number) {
    Batch batch = history.batch(number);
    return batch == null ? null : batch.before();
  }

  /** Goes on after a batch. */
  void settle(long number) {
    history.settle(number);
    acknowledged = number;
    forced = number;
    seen = number;
  }

  private static long numberIn(byte @Nullable [] stored) {
    return stored == null ? 0 : Long.parseLong(new String(stored, UTF_8));
  }

  private String anyTree(RandomGenerator random) {
    String own = ownTree.name();
    int trees = SharedWorld.TREES.size();
    int index = random.nextInt(own == null ? trees : trees + 1);
    return own != null && index == trees ? own : SharedWorld.TREES.get(index);
  }

  /** What it has in a tree or dataset; read it only. */
  NavigableMap<String, byte[]> content(String name) {
    return history.content(name);
  }

  /** A record; a large one at most in a batch of its own. */
  byte[] order(RandomGenerator random, boolean maybeLarge) {
    return Order.random(random, Math.min(11_000, world.value(random, maybeLarge).length)).encode();
  }

  /** Reads until the engine is closed, unless a batch is in doubt; writes have ended. */
  void readToTheEnd(RandomGenerator random) {
    try {
      while (orders != null && acknowledged == history.lastNumber()) {
        orders.getAll(random);
      }
    } catch (ClosedException e) {
      // As it must be.
    } catch (StorageException e) {
      world.excuse(e);
    }
  }

  ScanOptions ownKeys() {
    return ScanOptions.all().prefix(prefix.getBytes(UTF_8));
  }

  String key(RandomGenerator random) {
    return prefix + Digits.of(random.nextInt(world.keys()), 4);
  }

  private String numberKey() {
    return prefix + "#";
  }

  private String pairKey() {
    return prefix + "=";
  }

  String what(String what) {
    return "client " + id + ": " + what;
  }
}
