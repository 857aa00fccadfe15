package org.loam.engine.scheme;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.WriteConfig;
import org.loam.engine.report.FlushChoice.Rule;
import org.loam.lsm.FlushPolicy.ActiveMemory;
import org.loam.lsm.LsmTree;
import org.loam.lsm.RangeSizes;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryLeveling;
import org.loam.lsm.memory.MemoryRun;

/**
 * The partitioned memory component of MemoryWalls §4.1: what is full stays in memory and is merged
 * there, and what is flushed are runs. For the sake of memory they are those of the last memory
 * level. For the sake of the log they are the oldest ones, or all of a tree of which too little was
 * flushed lately (§4.1.4). A tree without runs is flushed as a whole.
 *
 * <p>In the paper a write that fills the active component merges it. Here a thread does that, and
 * writes wait while more than two runs of their tree wait to be merged. They do so only as long as
 * merges go on: when these find no memory, or for another reason do not, writes go on without them.
 */
record LevelsScheme(ByPolicy policy, long pageBytes, WriteConfig.Levels settings)
    implements MemoryScheme {
  private static final long MOST_ACTIVE_BYTES = 32 << 20;

  /** The part of write memory that is merged at once: of a small one, not less than a few pages. */
  private static final int ACTIVE_SHARE = 16;

  private static final int LEAST_PAGES = 4;

  /** So many runs are as large as what is merged at once, of which a step copies little then. */
  private static final int RUNS_OF_ACTIVE = 4;

  /**
   * The part of the log whose length is flushed at once for its sake: twice as much as it grows
   * until the next look at it.
   */
  private static final int FLUSHED_OF_LOG = 32;

  /** While more runs of a tree wait to be merged, its writes do. */
  private static final int MOST_WAITING = 2;

  /** Of the size of a memory level and the one above it. */
  private static final int RATIO = 10;

  @Override
  public RangeSizes sizes(long ownBytes) {
    return RangeSizes.WHOLE;
  }

  @Override
  public long treeBytes(long ownBytes) {
    return ownBytes;
  }

  /** The last half is for a step of a merge, which copies two runs mostly. */
  @Override
  public double keptFreeRatio() {
    return 1.0 / ACTIVE_SHARE;
  }

  @Override
  public boolean admits(LsmTree tree) {
    return tree.waitingRuns() <= MOST_WAITING || !tree.isMergingMemory();
  }

  @Override
  public boolean keeps(Memory memory, LsmTree tree) {
    return true;
  }

  @Override
  public MemoryLeveling.Sizes merging(long ownBytes) {
    long active = settings.activeBytes();
    if (active == 0) {
      active =
          Math.max(LEAST_PAGES * pageBytes, Math.min(MOST_ACTIVE_BYTES, ownBytes / ACTIVE_SHARE));
    }
    return new MemoryLeveling.Sizes(
        active, Math.max(LEAST_PAGES * pageBytes, active / RUNS_OF_ACTIVE), RATIO);
  }

  @Override
  public @Nullable Victims full(Memory memory, LsmTree tree, MemoryComponent active) {
    return Fullness.of(tree, active, merging(memory.ownBytes()).activeBytes());
  }

  @Override
  public Victims forMemory(Memory memory, long bytes) {
    return policy.choose(memory, bytes, LevelsScheme::inOrder, true);
  }

  /** What a tree may flush, in its order, and last what takes writes. */
  private static List<ActiveMemory<ByPolicy.Part>> inOrder(LsmTree tree) {
    List<MemoryRun> runs = tree.freezes().flushOrder();
    if (runs.isEmpty()) {
      return ByPolicy.actives(tree);
    }
    List<MemoryComponent> order = new ArrayList<>();
    runs.forEach(run -> order.add(run.component()));
    order.addAll(tree.actives());
    return order.stream()
        .map(one -> new ActiveMemory<>(new ByPolicy.Part(tree, one), one.usedBytes(), one.minLsn()))
        .toList();
  }

  @Override
  public Victims forLog(Memory memory, long maxLogBytes) {
    long last = MemoryScheme.oldestLsn(memory) + maxLogBytes / OLDEST_OF_LOG;
    Map<LsmTree, Set<MemoryComponent>> chosen = new LinkedHashMap<>();
    List<Part> runs = new ArrayList<>();
    for (LsmTree tree : memory.trees()) {
      Set<MemoryComponent> whole = MemoryScheme.activesUpTo(tree, last);
      if (!tree.runs().isEmpty()) {
        // What takes writes is newer than they are.
        tree.runs().forEach(run -> runs.add(new Part(tree, run)));
      } else if (!whole.isEmpty()) {
        chosen.put(tree, whole);
      }
    }
    runs.removeIf(part -> part.run().minLsn() > last);
    runs.sort(Comparator.comparingLong(part -> part.run().minLsn()));
    long bytes = 0;
    for (Part part : runs) {
      Set<MemoryComponent> ofTree = chosen.computeIfAbsent(part.tree(), tree -> new HashSet<>());
      boolean isNeeded =
          bytes < maxLogBytes / FLUSHED_OF_LOG && !ofTree.contains(part.run().component());
      for (MemoryRun run : isNeeded ? leaving(memory, part) : List.<MemoryRun>of()) {
        bytes += ofTree.add(run.component()) ? run.bytes() : 0;
      }
    }
    chosen.values().removeIf(Set::isEmpty);
    return new Victims(Rule.OLDEST, chosen);
  }

  /** A run and all that is flushed with it. */
  private List<MemoryRun> leaving(Memory memory, Part part) {
    LsmTree tree = part.tree();
    return isFlushedInParts(memory, tree) ? tree.freezes().withOlder(part.run()) : tree.runs();
  }

  /** Whether so much of a tree was flushed for the sake of memory that little else is old. */
  private boolean isFlushedInParts(Memory memory, LsmTree tree) {
    return memory.recentlyFlushedBytes(tree) >= settings.partialFlushRatio() * tree.activeBytes();
  }

  /** A run of a tree. */
  private record Part(LsmTree tree, MemoryRun run) {}
}
