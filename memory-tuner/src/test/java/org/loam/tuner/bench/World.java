package org.loam.tuner.bench;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.loam.tuner.cost.Curves;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.CycleTimes;
import org.loam.tuner.cost.LogSample;
import org.loam.tuner.cost.MemorySample;
import org.loam.tuner.cost.ReadClass;
import org.loam.tuner.cost.ReadSample;
import org.loam.tuner.cost.TreeSample;
import org.loam.tuner.ghost.GhostCache;
import org.loam.tuner.ghost.ReuseSampler;
import org.loam.tuner.ghost.RewriteSampler;

/**
 * An engine in virtual time: a write side, a buffer cache and a disk, with the ghost cache and the
 * samplers of the tuner in the places where an engine has them. A read looks into write memory
 * first, and merges read past the cache.
 */
final class World {
  static final int PAGE_BYTES = 16 << 10;
  static final int RECORDS_PER_PAGE = PAGE_BYTES / LsmTreeModel.RECORD_BYTES;

  private static final int SAMPLED_IDS = 2048;

  private final Workload workload;
  private final long totalBytes;
  private final long logBytes;
  private final SplittableRandom random;
  private final WriteSide writeSide;
  private final PageCache cache;
  private final Disk disk;
  private final int[] firstPages;
  private final GhostCache ghost;
  private final ReuseSampler reads;
  private final RewriteSampler rewrites;
  private long writeBytes;
  private long pins;
  private long misses;
  private long savedBefore;
  private long readBytesBefore;
  private CycleTimes timesBefore = CycleTimes.NONE;

  World(
      Device device,
      Workload workload,
      long totalBytes,
      long writeBytes,
      long logBytes,
      long seed) {
    this.workload = workload;
    this.totalBytes = totalBytes;
    this.writeBytes = writeBytes;
    this.logBytes = logBytes;
    this.random = new SplittableRandom(seed);
    this.writeSide = new WriteSide(workload, writeBytes, logBytes);
    this.disk = new Disk(device, random.split());
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

  private int cachePages() {
    return (int) ((totalBytes - writeBytes) / PAGE_BYTES);
  }

  long writeBytes() {
    return writeBytes;
  }

  /** Divides memory anew. */
  void resize(long newWriteBytes) {
    writeBytes = newWriteBytes;
    long flushed = writeSide.flushedBytes();
    double merged = writeSide.mergedBytes();
    writeSide.resize(newWriteBytes);
    owe(flushed, merged);
    cache.resize(cachePages());
    evict();
  }

  private void evict() {
    for (int left = cache.evict(); left != PageCache.NONE; left = cache.evict()) {
      ghost.left(left);
    }
  }

  /** What was flushed and merged since then. */
  private void owe(long flushedBefore, double mergedBefore) {
    double merged = writeSide.mergedBytes() - mergedBefore;
    long flushed = writeSide.flushedBytes() - flushedBefore;
    disk.owe(flushed + merged, merged);
  }

  /** Runs a cycle of so many operations. */
  CycleSample run(long operations, double writeFraction) {
    long writes = 0;
    for (long i = 0; i < operations; i++) {
      disk.operation();
      if (random.nextDouble() < writeFraction) {
        writes++;
        write();
      } else {
        read();
      }
    }
    return sample(operations, writes);
  }

  private void write() {
    long flushed = writeSide.flushedBytes();
    double merged = writeSide.mergedBytes();
    long id = writeSide.write(random);
    rewrites.written(WriteSide.tree(id), id);
    if (writeSide.flushedBytes() != flushed) {
      owe(flushed, merged);
    }
  }

  /** Memory first, then the page that has the key. */
  private void read() {
    int tree = workload.readTree(random);
    int key = workload.trees().get(tree).reads().next(random);
    if (writeSide.has(tree, key)) {
      return;
    }
    int page = firstPages[tree] + key / RECORDS_PER_PAGE;
    pins++;
    long id = WriteSide.id(tree, key);
    double since = rewrites.samples(id) ? reads.usedSince(page) : -1;
    reads.used(page);
    if (cache.use(page)) {
      if (since >= 0) {
        rewrites.wouldMiss(id, totalBytes - since * PAGE_BYTES, 1 / reads.rate());
      }
    } else {
      misses++;
      disk.miss();
      if (rewrites.samples(id)) {
        rewrites.missed(id);
      }
      ghost.missed(page, ReadClass.QUERY, true);
      cache.add(page);
      evict();
    }
  }

  private CycleSample sample(long operations, long writes) {
    long keys = writeSide.usedBytes() / LsmTreeModel.RECORD_BYTES;
    List<TreeSample> trees = writeSide.endCycle();
    Curves curves =
        new Curves(
            reads.endCycle(pins, PAGE_BYTES).misses(),
            rewrites.endCycle(writes, writeSide.usedBytes(), keys, TreeSample.sharesOf(trees)));
    CycleTimes times = disk.times();
    CycleSample sample =
        new CycleSample(
            operations,
            trees,
            readSamples(),
            new MemorySample(
                totalBytes, writeBytes, (long) ghost.capacityPages() * PAGE_BYTES, PAGE_BYTES),
            new LogSample(writes * LsmTreeModel.RECORD_BYTES, logBytes),
            curves,
            times.minus(timesBefore));
    timesBefore = times;
    pins = 0;
    misses = 0;
    return sample;
  }

  private Map<ReadClass, ReadSample> readSamples() {
    long saved = ghost.saved().get(ReadClass.QUERY);
    long readBytes = Math.round(disk.readBytes());
    long mergedPages = (readBytes - readBytesBefore) / PAGE_BYTES;
    long streams = mergedPages * PAGE_BYTES / Device.STREAM_BYTES;
    Map<ReadClass, ReadSample> samples = new EnumMap<>(ReadClass.class);
    samples.put(ReadClass.QUERY, new ReadSample(pins, misses, misses, saved - savedBefore));
    samples.put(ReadClass.MERGE, new ReadSample(0, mergedPages, streams, 0));
    savedBefore = saved;
    readBytesBefore = readBytes;
    return samples;
  }
}
