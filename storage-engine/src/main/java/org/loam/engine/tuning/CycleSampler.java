package org.loam.engine.tuning;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.loam.cache.AccessClass;
import org.loam.cache.CacheCounters;
import org.loam.common.mem.Epochs;
import org.loam.engine.commit.CommitLatch;
import org.loam.engine.memory.MemoryArbiter;
import org.loam.engine.operation.Operations;
import org.loam.engine.tree.TreeCatalog;
import org.loam.engine.tree.TreeMerging;
import org.loam.log.CommitLog;
import org.loam.lsm.LsmTree;
import org.loam.lsm.TreeState;
import org.loam.lsm.version.DiskVersion;
import org.loam.lsm.version.SortedRun;
import org.loam.scheduler.merge.Level;
import org.loam.tuner.CycleTimer;
import org.loam.tuner.cost.Curves;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.CycleTimes;
import org.loam.tuner.cost.LogSample;
import org.loam.tuner.cost.MemorySample;
import org.loam.tuner.cost.MissCurve;
import org.loam.tuner.cost.ReadClass;
import org.loam.tuner.cost.ReadSample;
import org.loam.tuner.cost.Rewrites;
import org.loam.tuner.cost.TreeSample;

/**
 * Makes the sample of a cycle: the differences of all counters between two looks. So each count is
 * in one sample, whatever goes on meanwhile. Requests are counted apart from the pages that they
 * bring, and a sample has no more requests than pages: those beyond wait for the next one. Has one
 * thread.
 *
 * <p>A tree is known from the first {@link #look} on that finds it, and a dropped one until the end
 * of the cycle. So a tree that is created and dropped between two looks is in no sample.
 */
public final class CycleSampler {
  /**
   * The trees.
   *
   * @param latch under which what was done to them is read
   * @param merging by which numbers one is merged now
   * @param sizedForBytes write memory that levels are sized for now; 0 for its own size
   */
  public record AllTrees(
      TreeCatalog catalog,
      CommitLatch latch,
      Function<LsmTree, TreeMerging> merging,
      LongSupplier sizedForBytes) {
    private List<LsmTree> list() {
      return catalog.list();
    }
  }

  /** Where counts come from. */
  public record Sources(
      AllTrees trees,
      CommitLog log,
      Operations operations,
      CacheCounters cache,
      Watches watches,
      MemoryArbiter memory,
      Epochs fileEpochs,
      Processors processors) {}

  /**
   * The levels of a tree.
   *
   * @param upperBytes of those between L0 and the last one
   */
  private record DiskSizes(long l0Bytes, long upperBytes, long lastBytes, int count) {
    static final DiskSizes NONE = new DiskSizes(0, 0, 0, 1);

    static DiskSizes of(DiskVersion disk) {
      long l0Bytes = 0;
      long upperBytes = 0;
      long lastBytes = 0;
      int count = 1;
      for (int i = 0; i < disk.runCount(); i++) {
        SortedRun run = disk.run(i);
        if (run.level() == Level.L0) {
          l0Bytes += run.bytes();
        } else {
          count = Math.max(count, Level.LAST - run.level() + 1);
          upperBytes += lastBytes;
          lastBytes = run.bytes();
        }
      }
      return new DiskSizes(l0Bytes, upperBytes, lastBytes, count);
    }

    TreeSample.Growth since(DiskSizes before) {
      return new TreeSample.Growth(
          l0Bytes - before.l0Bytes, upperBytes - before.upperBytes, lastBytes - before.lastBytes);
    }
  }

  /** What a tree was at the last look, and its part of write memory at the looks since. */
  private static final class Seen {
    private TreeState.Work work = TreeState.Work.NONE;
    private long memoryBytes;
    private DiskSizes disk = DiskSizes.NONE;
    private double shares;
  }

  private final Sources sources;

  /** In the order in which they were first seen: sums do not depend on hash codes of objects. */
  private final Map<LsmTree, Seen> seen = new LinkedHashMap<>();

  private final Map<AccessClass, ReadSample> reads = new EnumMap<>(AccessClass.class);
  private int looks;
  private long operations;
  private long logEnd;
  private CycleTimes times;

  /** Begins the first cycle. */
  public CycleSampler(Sources sources) {
    this.sources = sources;
    this.operations = sources.operations.entered();
    this.logEnd = sources.log.endLsn();
    this.times = countedTimes();
    for (AccessClass access : PageWatch.CACHED) {
      reads.put(access, counted(access, sources.watches.pages().saved()));
    }
    for (LsmTree tree : sources.trees.list()) {
      Seen first = new Seen();
      first.work = workOf(tree);
      first.memoryBytes = tree.memoryBytes();
      first.disk = diskSizes(tree);
      seen.put(tree, first);
    }
  }

  private TreeState.Work workOf(LsmTree tree) {
    TreeState.Work[] work = new TreeState.Work[1];
    sources.trees.latch.underLatch(() -> work[0] = tree.work());
    return work[0];
  }

  /** What has been moved since the engine was opened; cheap. */
  CycleTimer.Progress progress() {
    long missed = 0;
    for (AccessClass access : PageWatch.CACHED) {
      missed += access == AccessClass.MERGE ? 0 : sources.cache.misses(access);
    }
    return new CycleTimer.Progress(sources.log.endLsn(), missed * sources.memory.pageBytes());
  }

  /** Looks at the parts that trees have of write memory now; to be called often in a cycle. */
  public void look() {
    Map<LsmTree, Long> used = new LinkedHashMap<>();
    long sum = 0;
    for (LsmTree tree : sources.trees.list()) {
      long bytes = tree.memoryBytes();
      used.put(tree, bytes);
      sum += bytes;
    }
    double all = Math.max(sources.memory.ownBytes(), sum);
    used.forEach(
        (tree, bytes) -> seen.computeIfAbsent(tree, t -> new Seen()).shares += bytes / all);
    looks++;
  }

  /**
   * Ends a cycle, and begins the next one.
   *
   * @param maxLogBytes length of the log at which memory is flushed
   */
  public CycleSample endCycle(long maxLogBytes) {
    look();
    long operationsNow = sources.operations.entered();
    long logEndNow = sources.log.endLsn();
    Map<ReadClass, ReadSample> readSamples = reads();
    CycleTimes timesNow = countedTimes();
    long uses = readSamples.values().stream().mapToLong(ReadSample::pins).sum();
    MissCurve misses = sources.watches.pages().endCycle(uses);
    Trees trees = trees();
    long writes = trees.samples.stream().mapToLong(tree -> tree.written().entries()).sum();
    Rewrites rewrites =
        sources
            .watches
            .writes()
            .endCycle(
                writes, trees.memoryBytes, trees.memoryKeys, TreeSample.sharesOf(trees.samples));
    long entered = Math.max(0, operationsNow - operations);
    long logGrown = logEndNow - logEnd;
    CycleTimes before = times;
    // Before anything fails: then the next cycle has all its counts of the same time.
    operations = operationsNow;
    logEnd = logEndNow;
    times = timesNow;
    looks = 0;
    return new CycleSample(
        entered,
        trees.samples,
        readSamples,
        new MemorySample(
            sources.memory.poolBytes(),
            sources.memory.ownBytes(),
            sources.watches.pages().ghostBytes(),
            sources.memory.pageBytes()),
        new LogSample(logGrown, maxLogBytes),
        new Curves(misses, rewrites),
        timesNow.minus(before));
  }

  /** A cycle of each tree, and the bytes and keys that all have in memory at its end. */
  private record Trees(List<TreeSample> samples, long memoryBytes, long memoryKeys) {}

  private Map<ReadClass, ReadSample> reads() {
    Map<ReadClass, ReadSample> samples = new EnumMap<>(ReadClass.class);
    // Before the counts of missed pages: each saved read is one of these.
    Map<ReadClass, Long> saved = sources.watches.pages().saved();
    for (AccessClass access : PageWatch.CACHED) {
      ReadSample before = reads.getOrDefault(access, ReadSample.NONE);
      ReadSample now = counted(access, saved);
      long missed = now.missedPages() - before.missedPages();
      ReadSample difference =
          new ReadSample(
              now.pins() - before.pins(),
              missed,
              Math.min(missed, now.requests() - before.requests()),
              Math.min(missed, now.savedPages() - before.savedPages()));
      samples.put(PageWatch.readClass(access), difference);
      // What was left out is in the next one.
      reads.put(
          access,
          new ReadSample(
              now.pins(),
              now.missedPages(),
              before.requests() + difference.requests(),
              before.savedPages() + difference.savedPages()));
    }
    return samples;
  }

  /** All since the start; merges read past the cache, so that they have no pins. */
  private ReadSample counted(AccessClass access, Map<ReadClass, Long> savedReads) {
    CacheCounters cache = sources.cache;
    // In this order: a request comes after the page that it is for.
    long requests = cache.requests(access);
    long missed = cache.misses(access);
    long saved = savedReads.getOrDefault(PageWatch.readClass(access), 0L);
    long pins = access == AccessClass.MERGE ? 0 : cache.hits(access) + requests;
    return new ReadSample(pins, missed, Math.min(missed, requests), Math.min(missed, saved));
  }

  /** All since the start. */
  private CycleTimes countedTimes() {
    CacheCounters cache = sources.cache;
    // In this order: a request is counted before it is counted as one beside others.
    CycleTimes.Beside beside = new CycleTimes.Beside(cache.besideRequests(), cache.besideNanos());
    long missNanos = 0;
    for (AccessClass access : PageWatch.CACHED) {
      missNanos += access == AccessClass.MERGE ? 0 : cache.requestNanos(access);
    }
    return new CycleTimes(
        missNanos,
        cache.requestNanos(AccessClass.MERGE),
        cache.writtenBytes(),
        cache.writeNanos(),
        sources.processors.counted(),
        beside);
  }

  private Trees trees() {
    Map<LsmTree, TreeState.Work> works = new LinkedHashMap<>();
    long[] memory = new long[2];
    Set<LsmTree> there = new LinkedHashSet<>();
    sources.trees.latch.underLatch(
        () -> {
          // With the counts: a tree goes after its last one, and not without the latch.
          there.addAll(sources.trees.list());
          for (LsmTree tree : there) {
            works.put(tree, tree.work());
            LsmTree.MemoryUse use = tree.memoryUse();
            memory[0] += use.bytes();
            memory[1] += use.keys();
          }
          seen.keySet().forEach(tree -> works.computeIfAbsent(tree, LsmTree::work));
        });
    List<TreeSample> samples = new ArrayList<>();
    works.forEach((tree, work) -> samples.add(sample(tree, work)));
    seen.keySet().retainAll(there);
    return new Trees(samples, memory[0], memory[1]);
  }

  private TreeSample sample(LsmTree tree, TreeState.Work now) {
    Seen last = seen.computeIfAbsent(tree, t -> new Seen());
    TreeState.Work before = last.work;
    long memoryBytes = tree.isDropped() ? 0 : tree.memoryBytes();
    DiskSizes disk = diskSizes(tree);
    TreeMerging merging = sources.trees.merging.apply(tree);
    double share = Math.min(1, last.shares / looks);
    long sizedFor = sources.trees.sizedForBytes.getAsLong();
    TreeSample sample =
        new TreeSample(
            tree.treeId(),
            new TreeSample.Written(
                now.writtenEntries() - before.writtenEntries(),
                now.writtenBytes() - before.writtenBytes()),
            new TreeSample.Flushed(
                now.flushedForMemoryBytes() - before.flushedForMemoryBytes(),
                now.flushedForLogBytes() - before.flushedForLogBytes()),
            now.mergedBytes() - before.mergedBytes(),
            new TreeSample.Levels(
                disk.lastBytes,
                disk.count,
                merging.levelRatio(),
                merging.l0MinMerge(),
                Math.max(merging.l0MinMerge(), tree.aims().mergedDepth()),
                sizedFor == 0 ? 0 : Math.max(1, Math.round(share * sizedFor)),
                disk.since(last.disk)),
            new TreeSample.Held(share, memoryBytes - last.memoryBytes));
    last.work = now;
    last.memoryBytes = memoryBytes;
    last.disk = disk;
    last.shares = 0;
    return sample;
  }

  private DiskSizes diskSizes(LsmTree tree) {
    int slot = sources.fileEpochs.enter();
    try {
      return DiskSizes.of(tree.disk());
    } finally {
      sources.fileEpochs.exit(slot);
    }
  }
}
