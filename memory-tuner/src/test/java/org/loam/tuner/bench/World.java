package org.loam.tuner.bench;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.loam.tuner.cost.CostModel;
import org.loam.tuner.cost.Curves;
import org.loam.tuner.cost.CycleCost;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.CycleTimes;
import org.loam.tuner.cost.LogSample;
import org.loam.tuner.cost.MemorySample;
import org.loam.tuner.cost.MissCurve;
import org.loam.tuner.cost.ReadClass;
import org.loam.tuner.cost.ReadSample;
import org.loam.tuner.cost.Rewrites;
import org.loam.tuner.cost.TreeSample;
import org.loam.tuner.ghost.GhostCache;
import org.loam.tuner.ghost.ReuseSampler;
import org.loam.tuner.ghost.RewriteSampler;

/**
 * An engine in virtual time: a write side and a buffer cache, with the ghost cache and the samplers
 * of the tuner in the places where an engine has them. Merges read past the cache.
 */
final class World {
  static final int PAGE_BYTES = 16 << 10;
  static final int RECORDS_PER_PAGE = PAGE_BYTES / LsmTreeModel.RECORD_BYTES;

  /** Bytes of a request of a merge. */
  static final int STREAM_BYTES = 1 << 20;

  private static final int SAMPLED_IDS = 2048;

  /** A disk of 12,500 requests a second, 400 MB/s written and 1 GB/s read. */
  static final CostModel DEVICE = device(1);

  /**
   * The same disk, with misses that cost another part: a small one if most of them are copies from
   * the page cache of the operating system.
   */
  static CostModel device(double missPart) {
    return new CostModel(
        CostModel.Unit.NANOS,
        new CostModel.Line(76_000 * missPart, 0.25 * missPart),
        new CostModel.Line(76_000, 1),
        new CostModel.Line(76_000, 2.5),
        STREAM_BYTES);
  }

  private final CostModel device;
  private final Workload workload;
  private final long totalBytes;
  private final long logBytes;
  private final SplittableRandom random;
  private final WriteSide writeSide;
  private final PageCache cache;
  private final int[] firstPages;
  private final GhostCache ghost;
  private final ReuseSampler reads;
  private final RewriteSampler rewrites;
  private long writeBytes;
  private long savedBefore;

  World(
      CostModel device,
      Workload workload,
      long totalBytes,
      long writeBytes,
      long logBytes,
      long seed) {
    this.device = device;
    this.workload = workload;
    this.totalBytes = totalBytes;
    this.writeBytes = writeBytes;
    this.logBytes = logBytes;
    this.random = new SplittableRandom(seed);
    this.writeSide = new WriteSide(workload, writeBytes, logBytes);
    this.firstPages = firstPages(workload);
    this.cache = new PageCache(firstPages[workload.trees().size()], cachePages());
    this.ghost = new GhostCache((int) (totalBytes / 32 / PAGE_BYTES));
    this.reads = new ReuseSampler(SAMPLED_IDS, totalBytes / PAGE_BYTES);
    this.rewrites = new RewriteSampler(totalBytes);
  }

  static int[] firstPages(Workload workload) {
    List<Workload.Tree> trees = workload.trees();
    int[] first = new int[trees.size() + 1];
    for (int i = 0; i < trees.size(); i++) {
      first[i + 1] = first[i] + (trees.get(i).keys() - 1) / RECORDS_PER_PAGE + 1;
    }
    return first;
  }

  /** The page that the next read of a workload is for. */
  static int nextPage(Workload workload, int[] firstPages, SplittableRandom random) {
    int tree = workload.readTree(random);
    return firstPages[tree] + workload.trees().get(tree).reads().next(random) / RECORDS_PER_PAGE;
  }

  private int cachePages() {
    return (int) ((totalBytes - writeBytes) / PAGE_BYTES);
  }

  long writeBytes() {
    return writeBytes;
  }

  /** Divides memory anew. */
  void resize(long newWriteBytes) {
    writeBytes = newWriteBytes;
    writeSide.resize(newWriteBytes);
    cache.resize(cachePages());
    evict();
  }

  private void evict() {
    for (int left = cache.evict(); left != PageCache.NONE; left = cache.evict()) {
      ghost.left(left);
    }
  }

  /** Runs a cycle of so many operations. */
  CycleSample run(long operations, double writeFraction) {
    long writes = 0;
    long misses = 0;
    for (long i = 0; i < operations; i++) {
      if (random.nextDouble() < writeFraction) {
        writes++;
        rewrites.written(writeSide.write(random));
      } else {
        int page = nextPage(workload, firstPages, random);
        reads.used(page);
        if (!cache.use(page)) {
          misses++;
          ghost.missed(page, ReadClass.QUERY, true);
          cache.add(page);
          evict();
        }
      }
    }
    return sample(operations, writes, misses);
  }

  private CycleSample sample(long operations, long writes, long misses) {
    long saved = ghost.saved().get(ReadClass.QUERY);
    long pins = operations - writes;
    MissCurve missCurve = reads.endCycle(pins, PAGE_BYTES).misses();
    long keys = writeSide.usedBytes() / LsmTreeModel.RECORD_BYTES;
    Rewrites rewritten = rewrites.endCycle(writes, writeSide.usedBytes(), keys);
    List<TreeSample> trees = writeSide.endCycle();
    long mergedPages = trees.stream().mapToLong(TreeSample::mergedBytes).sum() / PAGE_BYTES;
    long streams = mergedPages * PAGE_BYTES / STREAM_BYTES;
    Map<ReadClass, ReadSample> readSamples = new EnumMap<>(ReadClass.class);
    readSamples.put(ReadClass.QUERY, new ReadSample(pins, misses, misses, saved - savedBefore));
    readSamples.put(ReadClass.MERGE, new ReadSample(0, mergedPages, streams, 0));
    savedBefore = saved;
    CycleSample untimed =
        new CycleSample(
            operations,
            trees,
            readSamples,
            new MemorySample(
                totalBytes, writeBytes, (long) ghost.capacityPages() * PAGE_BYTES, PAGE_BYTES),
            new LogSample(writes * LsmTreeModel.RECORD_BYTES, logBytes),
            new Curves(missCurve, rewritten));
    return timed(untimed);
  }

  /** With the time that the device takes for the requests of a cycle. */
  private CycleSample timed(CycleSample sample) {
    CycleCost cost = CycleCost.of(sample, device);
    long operations = sample.operations();
    long written = 0;
    for (TreeSample tree : sample.trees()) {
      written += tree.flushed().bytes() + tree.mergedBytes();
    }
    return new CycleSample(
        operations,
        sample.trees(),
        sample.reads(),
        sample.memory(),
        sample.log(),
        sample.curves(),
        new CycleTimes(
            Math.round(cost.misses() * operations),
            Math.round(cost.mergeReads() * operations),
            written,
            Math.round((cost.flushes() + cost.mergeWrites()) * operations)));
  }
}
