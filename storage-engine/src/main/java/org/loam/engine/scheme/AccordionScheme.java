package org.loam.engine.scheme;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.loam.engine.report.FlushChoice.Rule;
import org.loam.lsm.FlushPolicy.ActiveMemory;
import org.loam.lsm.LsmTree;
import org.loam.lsm.RangeSizes;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryLeveling.Pipeline;

/**
 * Accordion (Bortnikov et al., PVLDB 11(12), 2018), as MemoryWalls §6.2 compares with it: a full
 * active component becomes a run of a pipeline in memory, and too many runs are merged into one. A
 * tree is flushed as a whole, when it has half of the write memory or when the policy picks it. If
 * merges copy the data, it is flushed as well where a copy that is due would not find room.
 *
 * @param activeBytes size of a run, 0 for the default
 */
record AccordionScheme(ByPolicy policy, long pageBytes, long activeBytes, Pipeline pipeline)
    implements MemoryScheme {
  /** HBase's {@code hbase.hregion.compacting.pipeline.segments.limit}. */
  static final int MOST_RUNS = 2;

  /** HBase's {@code hbase.memstore.inmemoryflush.threshold.factor}, of what a tree may have. */
  private static final double ACTIVE_RATIO = 0.014;

  private static final int LEAST_PAGES = 4;

  @Override
  public RangeSizes sizes(long ownBytes) {
    return RangeSizes.WHOLE;
  }

  @Override
  public long treeBytes(long ownBytes) {
    return ownBytes / 2;
  }

  private long runBytes(long ownBytes) {
    return activeBytes > 0
        ? activeBytes
        : Math.max(LEAST_PAGES * pageBytes, (long) (ACTIVE_RATIO * treeBytes(ownBytes)));
  }

  @Override
  public Pipeline merging(long ownBytes) {
    return pipeline;
  }

  @Override
  public @Nullable Victims full(Memory memory, LsmTree tree, MemoryComponent active) {
    if (active.isFrozen() || active.usedBytes() < runBytes(memory.ownBytes())) {
      return null;
    }
    return whole(Rule.FULL, List.of(tree));
  }

  @Override
  public boolean keeps(Memory memory, LsmTree tree) {
    return tree.activeBytes() < treeBytes(memory.ownBytes()) && hasRoom(memory, tree);
  }

  /** Whether the copy that is due with one more run would fit beside the runs. */
  private boolean hasRoom(Memory memory, LsmTree tree) {
    List<MemoryComponent> runs = tree.parts();
    if (!pipeline.copiesData() || !pipeline.isDue(runs.size())) {
      return true;
    }
    long bytes = runs.stream().mapToLong(MemoryComponent::liveBytes).sum();
    return bytes <= memory.freeBytes();
  }

  @Override
  public Victims forMemory(Memory memory, long bytes) {
    Victims chosen = policy.choose(memory, bytes, AccordionScheme::alone, false);
    return whole(chosen.rule(), chosen.components().keySet());
  }

  @Override
  public Victims forLog(Memory memory, long maxLogBytes) {
    long last = MemoryScheme.oldestLsn(memory) + maxLogBytes / OLDEST_OF_LOG;
    List<LsmTree> old =
        memory.trees().stream()
            .filter(tree -> alone(tree).stream().anyMatch(all -> all.minLsn() <= last))
            .toList();
    return whole(Rule.OLDEST, old);
  }

  /** All of a tree, as what takes its writes; nothing while a part of it is on its way out. */
  private static List<ActiveMemory<ByPolicy.Part>> alone(LsmTree tree) {
    long minLsn =
        tree.parts().stream().mapToLong(MemoryComponent::minLsn).min().orElse(Long.MAX_VALUE);
    return tree.freezes().activesAlone().stream()
        .map(
            active ->
                new ActiveMemory<>(new ByPolicy.Part(tree, active), tree.activeBytes(), minLsn))
        .toList();
  }

  private static Victims whole(Rule rule, Collection<LsmTree> trees) {
    Map<LsmTree, Set<MemoryComponent>> all = new LinkedHashMap<>();
    trees.forEach(tree -> all.put(tree, Set.copyOf(tree.parts())));
    return new Victims(rule, all);
  }
}
