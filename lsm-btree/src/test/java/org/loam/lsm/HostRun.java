package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.loam.cache.ReadIntent;
import org.loam.common.env.TaskRunner.Task;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.merge.PartitionedLeveling.Selection;

/**
 * The lives of two trees under a host's log: clients whose transactions overlap, commit out of
 * order and roll back, a worker that flushes and merges, crashes, and the redo of what was
 * committed.
 */
final class HostRun {
  /** What happened; added up over runs. */
  static final class Totals {
    long crashes;
    long commits;
    long rollbacks;
    long flushes;
    long redone;
    long truncations;
  }

  private static final int TREES = 2;
  private static final int KEYS = 25;

  private final long seed;
  private final Totals totals;
  private final Random random;
  private final HostLog log;
  private final TreeBehaviour behaviour;

  /** What clients were told is committed: the transaction and where its log record ends. */
  private final Map<Integer, Long> acknowledged = new TreeMap<>();

  HostRun(long seed, Totals totals) {
    this.seed = seed;
    this.totals = totals;
    this.random = new Random(seed);
    this.log = new HostLog(new Random(seed * 31));
    this.behaviour =
        TreeWorld.behaviour(
            new PartitionedLeveling(
                new PartitionedLeveling.Settings(3, 2, 3, 1.5, Selection.ROUND_ROBIN, true, true)),
            8 << 10);
  }

  void run(int lives) {
    try (Simulation sim = Simulation.seeded(seed)) {
      for (int life = 0; life < lives; life++) {
        CrashKind kind = random.nextBoolean() ? CrashKind.POWER_LOSS : CrashKind.PROCESS_DEATH;
        if (sim.run(() -> live(sim, kind))) {
          sim.crash(CrashKind.PROCESS_DEATH);
        } else {
          totals.crashes++;
        }
        log.crash();
      }
      sim.run(
          () -> {
            TreeWorld world = open(sim);
            recover(world);
            world.close();
          });
    } catch (Throwable t) {
      throw new AssertionError("seed " + seed + ": " + t.getMessage(), t);
    }
  }

  private TreeWorld open(Simulation sim) {
    log.start(sim.env().waiter());
    TreeWorld world =
        new TreeWorld(
            sim, TreeWorld.Sizes.SMALL, new TreeWorld.Host(log::published, log), behaviour);
    while (world.trees.size() < TREES) {
      world.createTree("t" + world.trees.size(), behaviour);
    }
    return world;
  }

  private void live(Simulation sim, CrashKind kind) {
    TreeWorld world = open(sim);
    List<TreeMap<byte[], byte[]>> content = recover(world);
    if (random.nextBoolean()) {
      sim.crashAtCall(1 + random.nextInt(90), kind);
    } else {
      sim.crashAtStep(1 + random.nextInt(2000), kind);
    }
    List<Task> tasks = new ArrayList<>();
    boolean[] done = {false};
    Task worker = sim.env().tasks().start("worker", () -> work(world, done));
    for (int c = 0; c < 3; c++) {
      Client client = new Client(world, c, content, new Random(random.nextLong()));
      tasks.add(sim.env().tasks().start("client", client::run));
    }
    tasks.forEach(Task::join);
    done[0] = true;
    worker.join();
    checkCommitted(world, PointRead.LATEST_PUBLISHED);
    world.close();
  }

  // ---- Recovery.

  /** Checks what is on disk, redoes what is missing, and returns what is there then. */
  private List<TreeMap<byte[], byte[]>> recover(TreeWorld world) {
    acknowledged.forEach(
        (transaction, end) ->
            assertThat(log.isCommitted(transaction)).as("transaction " + transaction).isTrue());
    for (int t = 0; t < TREES; t++) {
      TreeScan.Range all = new TreeScan.Range(null, null, true, ReadIntent.QUERY, Long.MAX_VALUE);
      for (Map.Entry<byte[], byte[]> row : world.scan(world.trees.get(t), all, Long.MAX_VALUE)) {
        int transaction = Integer.parseInt(new String(row.getValue(), UTF_8).split(" ")[0]);
        assertThat(log.isCommitted(transaction)).as("on disk: %s", transaction).isTrue();
      }
    }
    for (HostLog.Entry e : log.committedWrites()) {
      LsmTree tree = world.trees.get(e.tree());
      if (e.lsn() > tree.durableLsn() && e.lsn() >= log.truncatedBelow()) {
        world.write(tree, e.key().getBytes(UTF_8), e.value(), e.lsn());
        totals.redone++;
      }
    }
    return checkCommitted(world, Long.MAX_VALUE);
  }

  private List<TreeMap<byte[], byte[]>> checkCommitted(TreeWorld world, long readLsn) {
    List<TreeMap<byte[], byte[]>> content = new ArrayList<>();
    for (int t = 0; t < TREES; t++) {
      TreeMap<byte[], byte[]> expected = new TreeMap<>(TreeWorld.BYTES);
      List<byte[]> keys = new ArrayList<>();
      for (HostLog.Entry e : log.committedWrites()) {
        if (e.tree() == t) {
          put(expected, e.key().getBytes(UTF_8), e.value());
          keys.add(e.key().getBytes(UTF_8));
        }
      }
      world.check(world.trees.get(t), expected, keys, readLsn);
      content.add(expected);
    }
    return content;
  }

  private static void put(TreeMap<byte[], byte[]> map, byte[] key, byte @Nullable [] value) {
    if (value == null) {
      map.remove(key);
    } else {
      map.put(key, value);
    }
  }

  // ---- The worker.

  private void work(TreeWorld world, boolean[] done) {
    Random own = new Random(random.nextLong());
    while (!done[0]) {
      LsmTree tree = world.trees.get(own.nextInt(TREES));
      switch (own.nextInt(4)) {
        case 0 -> freezeTo(world, tree, log.endLsn() - own.nextInt(20));
        case 1 -> totals.flushes += world.flushFrozen(tree);
        case 2 -> world.merge(tree);
        default -> truncate(world);
      }
      world.env.waiter().pause(1 + own.nextInt(300_000));
    }
  }

  private void freezeTo(TreeWorld world, LsmTree tree, long lsn) {
    world.latch.lock();
    try {
      if (tree.minUnflushedLsn(List.of()) <= lsn) {
        tree.freezes().freeze(RangeSizes.WHOLE, log.endLsn(), FlushCause.LOG);
      }
    } finally {
      world.latch.unlock();
    }
  }

  private void truncate(TreeWorld world) {
    world.latch.lock();
    try {
      long through = Long.MAX_VALUE;
      for (LsmTree tree : world.trees) {
        through = Math.min(through, HostedTree.durableThroughLsn(tree, log.endLsn()));
      }
      if (through >= log.truncatedBelow()) {
        totals.truncations++;
      }
      log.truncate(through);
    } finally {
      world.latch.unlock();
    }
  }

  // ---- Clients, each with keys of its own, as if it held their locks.

  private final class Client {
    private final TreeWorld world;
    private final int id;
    private final Random own;
    private final List<TreeMap<byte[], byte[]>> content = new ArrayList<>();
    private final Workspace workspace = new Workspace(4096);

    Client(TreeWorld world, int id, List<TreeMap<byte[], byte[]>> all, Random own) {
      this.world = world;
      this.id = id;
      this.own = own;
      all.forEach(map -> content.add(new TreeMap<>(map)));
    }

    void run() {
      for (int i = 0; i < 12; i++) {
        transact();
        world.env.waiter().pause(own.nextInt(100_000));
        while (world.writeQuota.usedPages() > 250) {
          world.env.waiter().pause(100_000);
        }
      }
      workspace.close();
    }

    private void transact() {
      int transaction = log.begin();
      List<HostLog.Entry> writes = new ArrayList<>();
      List<TreeMap<byte[], byte[]>> seen = new ArrayList<>();
      content.forEach(map -> seen.add(new TreeMap<>(map)));
      for (int n = 1 + own.nextInt(6); n > 0; n--) {
        write(transaction, writes, seen);
        if (own.nextInt(4) == 0) {
          world.env.waiter().pause(own.nextInt(200_000));
        }
        checkOwn(seen);
      }
      if (own.nextInt(3) == 0) {
        rollBack(transaction, writes);
        checkOwn(content);
        totals.rollbacks++;
        return;
      }
      long end = underLatch(() -> log.end(transaction, true));
      log.awaitDurable(end);
      assertThat(log.isDurable(end)).isTrue();
      acknowledged.put(transaction, end);
      totals.commits++;
      for (int t = 0; t < TREES; t++) {
        content.set(t, seen.get(t));
      }
      checkOwn(content);
    }

    private void write(
        int transaction, List<HostLog.Entry> writes, List<TreeMap<byte[], byte[]>> seen) {
      int t = own.nextInt(TREES);
      String key = "c" + id + "/" + own.nextInt(KEYS);
      byte[] value = own.nextInt(4) == 0 ? null : value(transaction);
      LsmTree tree = world.trees.get(t);
      int slot = world.memoryEpochs.enter();
      try {
        underLatch(
            () -> {
              long lsn = log.write(transaction, t, key, value);
              world.write(tree, key.getBytes(UTF_8), value, lsn);
              writes.add(new HostLog.Entry(lsn, HostLog.Kind.WRITE, transaction, t, key, value));
              return lsn;
            });
      } finally {
        world.memoryEpochs.exit(slot);
      }
      put(seen.get(t), key.getBytes(UTF_8), value);
    }

    private byte[] value(int transaction) {
      int filler = own.nextInt(20) == 0 ? 6000 : own.nextInt(300);
      return (transaction + " " + "x".repeat(filler)).getBytes(UTF_8);
    }

    private void rollBack(int transaction, List<HostLog.Entry> writes) {
      int slot = world.memoryEpochs.enter();
      try {
        underLatch(
            () -> {
              for (int i = writes.size() - 1; i >= 0; i--) {
                HostLog.Entry w = writes.get(i);
                byte[] key = w.key().getBytes(UTF_8);
                LsmTree tree = world.trees.get(w.tree());
                boolean undone = HostedTree.undo(tree, workspace.putKey(key), key.length, w.lsn());
                assertThat(undone).as("undo of %s", w).isTrue();
              }
              return log.end(transaction, false);
            });
      } finally {
        world.memoryEpochs.exit(slot);
      }
    }

    private long underLatch(java.util.function.LongSupplier action) {
      world.latch.lock();
      try {
        return action.getAsLong();
      } finally {
        world.latch.unlock();
      }
    }

    /** The host reads below its locks, so it sees what is not published. */
    private void checkOwn(List<TreeMap<byte[], byte[]>> expected) {
      int t = own.nextInt(TREES);
      byte[] key = ("c" + id + "/" + own.nextInt(KEYS)).getBytes(UTF_8);
      PointRead read = new PointRead(world.sizes.pageBytes());
      LsmTree tree = world.trees.get(t);
      byte[] found = null;
      if (read.find(tree, workspace.putKey(key), key.length, Long.MAX_VALUE, ReadIntent.QUERY)) {
        found = new byte[read.valueLength()];
        read.copyValue(found, 0, found.length);
        read.release();
      }
      assertThat(found).isEqualTo(expected.get(t).get(key));
    }
  }
}
