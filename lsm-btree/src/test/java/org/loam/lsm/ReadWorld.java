package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.loam.common.key.EntryKind;
import org.loam.common.sim.Simulation;
import org.loam.lsm.TreeServices.CommitGate;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryLeveling;
import org.loam.lsm.visibility.ReadRegistry;
import org.loam.scheduler.merge.PartitionedLeveling;

/**
 * A tree with a few keys in two groups of L0 and in memory, and what each read LSN shows. The value
 * of an entry is its LSN.
 */
final class ReadWorld implements AutoCloseable {
  /** An entry; anti-matter shows as absent. */
  private record Written(long lsn, boolean isPut) {}

  /** What a key without an entry shows. */
  static final long ABSENT = -1;

  private static final TreeBehaviour BEHAVIOUR =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 64 << 10);

  final TreeWorld world;
  final LsmTree tree;
  private final AtomicLong published = new AtomicLong(1);
  private final TreeMap<String, List<Written>> written = new TreeMap<>();
  private long lastLsn;

  ReadWorld(Simulation sim) {
    TreeWorld.Sizes sizes = new TreeWorld.Sizes(4096, 32, 1 << 20, 4, 8 << 10, 1);
    world =
        new TreeWorld(sim, sizes, new TreeWorld.Host(() -> published.get(), new Gate()), BEHAVIOUR);
    tree = world.createTree("t", BEHAVIOUR);
    write("a", "b", "c");
    flush();
    write("b", "-a", "d");
    flush();
    write("c", "-d");
  }

  /** Lets what is published be flushed. */
  private final class Gate implements CommitGate {
    @Override
    public boolean mayFlush(long endLsn) {
      return published.get() >= endLsn;
    }

    @Override
    public void awaitDurable(long endLsn) {}
  }

  ReadRegistry reads() {
    return world.reads;
  }

  Iterable<String> keys() {
    return written.keySet();
  }

  /** Writes keys and publishes each; anti-matter for one with a minus before it. */
  void write(String... keys) {
    for (String text : keys) {
      boolean isPut = !text.startsWith("-");
      String key = isPut ? text : text.substring(1);
      world.latch.lock();
      try {
        long lsn = ++lastLsn;
        written.computeIfAbsent(key, k -> new ArrayList<>()).add(new Written(lsn, isPut));
        byte[] value = isPut ? Long.toString(lsn).getBytes(UTF_8) : null;
        world.write(tree, key.getBytes(UTF_8), value, lsn);
        published.set(lsn + 1);
      } finally {
        world.latch.unlock();
      }
    }
  }

  /** The value of a key at a read LSN. */
  long at(long readLsn, String key) {
    long value = ABSENT;
    for (Written w : written.getOrDefault(key, List.of())) {
      if (w.lsn <= readLsn) {
        value = w.isPut ? w.lsn : ABSENT;
      }
    }
    return value;
  }

  void flush() {
    world.latch.lock();
    try {
      if (!tree.isDropped()) {
        tree.freezes().freeze(world.ranges, lastLsn + 1, FlushCause.USER);
      }
    } finally {
      world.latch.unlock();
    }
    world.flushFrozen(tree);
  }

  /**
   * Divides the memory of the tree into as many ranges as there are keys, from the next freeze on.
   */
  void divide() {
    world.ranges = new RangeSizes(4, 1);
  }

  /** Lets what was written stay in memory as a run. */
  void settle() {
    world.settle(tree);
  }

  /** Does all merges in memory that are due; each key gets a run of its own. */
  void mergeInMemory() {
    while (world.components(tree).mergeMemory(() -> new MemoryLeveling.Sizes(16 << 10, 1, 2))) {
      // The next step.
    }
  }

  /** Does all merges of a pipeline that are due, of which no more than one run is left. */
  void mergePipeline(boolean copiesData) {
    while (world.components(tree).mergeMemory(() -> new MemoryLeveling.Pipeline(1, copiesData))) {
      // The next one.
    }
  }

  /** Freezes the first run of the last memory level, and flushes it. */
  void flushFirstRun() {
    world.freezeFirst(tree, lastLsn + 1, 1);
    world.flushFrozen(tree);
  }

  /** Freezes one range of keys after the other, and flushes it. */
  void flushRanges() {
    for (MemoryComponent active : tree.actives()) {
      world.freeze(tree, lastLsn + 1, one -> one == active);
      world.flushFrozen(tree);
    }
  }

  /** How many ranges the memory of the tree has. */
  int ranges() {
    return tree.actives().size();
  }

  /** Leaves a record in memory whose write was given up. */
  void prepareInVain() {
    assertThat(tree.active(new byte[1]).prepare(EntryKind.PUT, new byte[1], new byte[1]))
        .isPositive();
  }

  /** Freezes the tree, dropped or not. */
  void freezeOnly() {
    world.freeze(tree, lastLsn + 1);
  }

  /** Merges everything that is on disk. */
  void compact() {
    world.components(tree).requestCompaction();
    while (world.components(tree).isCompacting() && world.merge(tree)) {
      // The next of its merges.
    }
  }

  void drop() {
    underLatch(tree::markDropped);
    world.components(tree).discard(() -> {});
    world.components(tree).deleteUnused();
  }

  /** Begins to drop the tree, and fails. */
  void dropInVain() {
    underLatch(tree::markDropped);
    underLatch(tree::unmarkDropped);
  }

  private void underLatch(Runnable change) {
    world.latch.lock();
    try {
      change.run();
    } finally {
      world.latch.unlock();
    }
  }

  /** In the end a read shows what the last write of each key left. */
  void checkAll() {
    try (TreeReader reader = new TreeReader(this)) {
      keys().forEach(reader::getPublished);
      long readLsn = reads().register();
      reader.scanAt(readLsn, true);
      reads().release(readLsn);
    }
  }

  @Override
  public void close() {
    world.close();
  }
}
