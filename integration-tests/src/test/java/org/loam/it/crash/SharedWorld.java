package org.loam.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.StorageException;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.Snapshot;
import org.loam.engine.Tree;
import org.loam.engine.TreeOptions;

/** What the clients of a database have in common: its trees, a counter, the disk's faults. */
final class SharedWorld {
  static final List<String> TREES = List.of("main", "index");
  private static final byte[] COUNTER = "shared counter".getBytes(UTF_8);
  private static final long HEALTHY_BYTES = 1L << 40;

  private final Simulation sim;
  private final int keys;
  private final int maxValueBytes;
  private final @Nullable SharedOrders orders;
  private final List<CrashClient> clients = new ArrayList<>();

  /** Increments that may have happened, and those that were acknowledged. */
  private long countTried;

  private long countDone;

  private boolean faulty;
  private long excused;

  /** Looks until {@link #atLastLook}; not positive if there is nothing to do. */
  private int looksLeft;

  private Runnable atLastLook = () -> {};

  /**
   * @param keys that each client has in each tree
   * @param maxValueBytes of most values
   * @param orders a dataset, null for trees only
   */
  SharedWorld(Simulation sim, int keys, int maxValueBytes, @Nullable SharedOrders orders) {
    this.sim = sim;
    this.keys = keys;
    this.maxValueBytes = maxValueBytes;
    this.orders = orders;
  }

  @Nullable SharedOrders orders() {
    return orders;
  }

  void add(CrashClient client) {
    clients.add(client);
  }

  List<CrashClient> clients() {
    return clients;
  }

  int keys() {
    return keys;
  }

  // ---- Faults.

  /** Whether faults of the disk are to be expected in this life. */
  void faulty(boolean expected) {
    faulty = expected;
  }

  /** Accepts an exception that a fault of the disk explains. */
  void excuse(StorageException e) {
    // A crash while the engine cleaned up after the fault is only a note on it; this goes on with
    // it.
    sim.env();
    if (!faulty) {
      throw e;
    }
    excused++;
  }

  /** Operations that failed because of faults. */
  long excused() {
    return excused;
  }

  /** Leaves the disk a little room only. */
  void fillDisk(long leftBytes) {
    sim.disk().capacityBytes(sim.disk().usedBytes() + leftBytes);
  }

  void healDisk() {
    sim.disk().capacityBytes(HEALTHY_BYTES);
  }

  // ---- What clients do together.

  static void createTrees(Engine engine) {
    for (String name : TREES) {
      if (!engine.hasTree(name)) {
        engine.createTree(name, inSome(engine, name));
      }
    }
  }

  /** A tree's data directory, by its name. */
  static TreeOptions inSome(Engine engine, String name) {
    return TreeOptions.DEFAULT.inDirectory(
        Math.floorMod(name.hashCode(), engine.directories().size()));
  }

  /** Of each client, the last batch that was acknowledged. */
  long[] acknowledged() {
    return clients.stream().mapToLong(CrashClient::acknowledged).toArray();
  }

  /** Adds one to a counter that all clients share. */
  void increment(Engine engine) {
    Tree tree = engine.tree(TREES.get(0));
    boolean done = false;
    while (!done) {
      byte[] now = tree.get(COUNTER);
      byte[] next = Long.toString(countIn(now) + 1).getBytes(UTF_8);
      countTried++;
      done = tree.compareAndPut(COUNTER, now, next);
      countTried -= done ? 0 : 1;
    }
    countDone++;
  }

  private static long countIn(byte @Nullable [] stored) {
    return stored == null ? 0 : Long.parseLong(new String(stored, UTF_8));
  }

  /** A client looks at what another one has written. */
  void lookAtOthers(Engine engine, CrashClient self, RandomGenerator random) {
    CrashClient other = clients.get(random.nextInt(clients.size()));
    if (other != self) {
      try (Snapshot snapshot = engine.snapshot()) {
        other.beSeen(engine, snapshot, TREES);
      }
      if (--looksLeft == 0) {
        atLastLook.run();
      }
    }
  }

  /** Something happens right after the n-th look of clients at others. */
  void afterLooks(int n, Runnable what) {
    looksLeft = n;
    atLastLook = what;
  }

  /**
   * Checks what a reopened engine has, of each client and over all of them: a prefix of the order
   * of commits.
   *
   * @param required of each client, the batch that must be there
   * @param allAcknowledged whether everything acknowledged must be there
   */
  void verify(Engine engine, List<Long> required, boolean allAcknowledged) {
    createTrees(engine);
    if (orders != null) {
      orders.open(engine);
      orders.verify();
    }
    long[] numbers = new long[clients.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = clients.get(i).verify(engine, required.get(i));
    }
    for (int i = 0; i < numbers.length; i++) {
      long[] before = clients.get(i).before(numbers[i]);
      for (int j = 0; before != null && j < numbers.length; j++) {
        Check.that(
            numbers[j] >= before[j],
            "client "
                + i
                + " has batch "
                + numbers[i]
                + ", written after batch "
                + before[j]
                + " of client "
                + j
                + ", which has "
                + numbers[j]);
      }
    }
    long count = countIn(engine.tree(TREES.get(0)).get(COUNTER));
    Check.that(
        count <= countTried && (!allAcknowledged || count >= countDone),
        "the counter is at " + count + ", done " + countDone + ", tried " + countTried);
    countTried = count;
    countDone = count;
    for (int i = 0; i < numbers.length; i++) {
      clients.get(i).settle(numbers[i]);
    }
  }

  /**
   * A value; some need pages of their own. Together those of a batch fit a quarter of a segment.
   */
  byte[] value(RandomGenerator random, boolean maybeLarge) {
    int length =
        switch (random.nextInt(20)) {
          case 0 -> 0;
          case 1 -> maybeLarge ? 2500 + random.nextInt(13_000) : 300;
          default -> random.nextInt(maxValueBytes);
        };
    byte[] value = new byte[length];
    random.nextBytes(value);
    return value;
  }
}
