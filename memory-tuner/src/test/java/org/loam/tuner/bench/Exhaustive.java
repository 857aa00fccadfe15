package org.loam.tuner.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.loam.tuner.cost.CostModel;
import org.loam.tuner.cost.Curves;
import org.loam.tuner.cost.CycleCost;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.LogSample;
import org.loam.tuner.cost.MemorySample;
import org.loam.tuner.cost.ReadClass;
import org.loam.tuner.cost.ReadSample;
import org.loam.tuner.cost.TreeSample;

/**
 * What a workload costs at every split, found by trying: write memory of 64 sizes, each until it is
 * steady, and the miss ratio of every cache from the stack distances of one long run of reads
 * (Mattson et al., 1970). What a tuner decided is judged by these costs, not by a noisy cycle.
 */
final class Exhaustive {
  private static final int SIZES = 48;
  private static final int READS = 600_000;

  /** Flushes of so many times the write memory fill L0 and the levels once. */
  private static final int PERIODS = 10;

  private static final int LEAST_WRITES = 40_000;
  private static final int MOST_WRITES = 1_000_000;

  private final double[] writeBytes = new double[SIZES];

  /** Flushes and merges at each size. */
  private final CycleSample[] writes = new CycleSample[SIZES];

  private final Workload workload;
  private final boolean hasRing;
  private final int mostPages;

  /** Misses of a read, by pages of the cache; for each part of writes, if readers follow them. */
  private final Map<Double, double[]> missRatios = new HashMap<>();

  /** What {@link #best} has found, by its arguments: a run asks after each cycle. */
  private final Map<List<Object>, Double> bests = new HashMap<>();

  Exhaustive(Workload workload, long leastBytes, long mostBytes, long logBytes) {
    for (int i = 0; i < SIZES; i++) {
      writeBytes[i] = leastBytes * Math.pow((double) mostBytes / leastBytes, i / (SIZES - 1.0));
      writes[i] = writes(workload, (long) writeBytes[i], logBytes);
    }
    this.workload = workload;
    this.hasRing = workload.trees().stream().anyMatch(Workload.Tree::isRing);
    this.mostPages = (int) (mostBytes / World.PAGE_BYTES) + 1;
  }

  private static CycleSample writes(Workload workload, long bytes, long logBytes) {
    SplittableRandom random = new SplittableRandom(bytes);
    WriteSide side = new WriteSide(workload, bytes, logBytes);
    long least = leastWrites(workload);
    write(side, random, least, PERIODS * bytes);
    side.endCycle();
    long measured = write(side, random, least, PERIODS * bytes);
    List<TreeSample> trees = side.endCycle();
    long mergedPages = trees.stream().mapToLong(TreeSample::mergedBytes).sum() / World.PAGE_BYTES;
    long streams = mergedPages * World.PAGE_BYTES / World.STREAM_BYTES;
    return new CycleSample(
        measured,
        trees,
        Map.of(ReadClass.MERGE, new ReadSample(0, mergedPages, Math.min(mergedPages, streams), 0)),
        new MemorySample(2 * bytes, bytes, World.PAGE_BYTES, World.PAGE_BYTES),
        new LogSample(0, logBytes),
        Curves.NONE);
  }

  /** Where keys are written one after the other, once around: each range has merges of its own. */
  private static long leastWrites(Workload workload) {
    return workload.trees().stream()
        .filter(Workload.Tree::isRing)
        .mapToLong(tree -> Math.round(tree.keys() / tree.writeShare()))
        .min()
        .orElse(LEAST_WRITES);
  }

  /** Writes until so much was flushed; the number of writes. */
  private static long write(
      WriteSide side, SplittableRandom random, long leastWrites, long flushedBytes) {
    long until = side.flushedBytes() + flushedBytes;
    long writes = 0;
    while (writes < leastWrites || (writes < MOST_WRITES && side.flushedBytes() < until)) {
      side.write(random);
      writes++;
    }
    return writes;
  }

  /** Cost of flushes and merges for a write, at one of the sizes. */
  private double writeCost(CostModel model, int size) {
    CycleCost cost = CycleCost.of(writes[size], model);
    return cost.flushes() + cost.mergeWrites() + cost.mergeReads();
  }

  /** By the number of other pages used since the last use, with a tree of counts. */
  private double[] missRatios(double writeFraction) {
    SplittableRandom random = new SplittableRandom(1);
    int[] firstPages = World.firstPages(workload);
    int[] lastUse = new int[firstPages[workload.trees().size()]];
    int[] counts = new int[READS + 1];
    double[] hits = new double[mostPages + 1];
    int measuredFrom = READS / 3;
    for (int time = 1; time <= READS; time++) {
      // Writers move on where readers look for what is recent.
      while (random.nextDouble() < writeFraction) {
        workload.trees().get(workload.writtenTree(random)).writes().next(random);
      }
      int page = World.nextPage(workload, firstPages, random);
      int last = lastUse[page];
      if (last > 0) {
        int distance = sum(counts, time - 1) - sum(counts, last);
        if (time > measuredFrom && distance < mostPages) {
          hits[distance + 1]++;
        }
        add(counts, last, -1);
      }
      add(counts, time, 1);
      lastUse[page] = time;
    }
    double[] ratios = new double[mostPages + 1];
    double hit = 0;
    for (int pages = 0; pages <= mostPages; pages++) {
      hit += hits[pages];
      ratios[pages] = 1 - hit / (READS - measuredFrom);
    }
    return ratios;
  }

  private static void add(int[] counts, int at, int delta) {
    for (int i = at; i < counts.length; i += i & -i) {
      counts[i] += delta;
    }
  }

  private static int sum(int[] counts, int to) {
    int sum = 0;
    for (int i = to; i > 0; i -= i & -i) {
      sum += counts[i];
    }
    return sum;
  }

  /** Expected cost of an operation. */
  double cost(CostModel model, double totalBytes, double write, double writeFraction) {
    int above = 1;
    while (above < SIZES - 1 && writeBytes[above] < write) {
      above++;
    }
    double part = (write - writeBytes[above - 1]) / (writeBytes[above] - writeBytes[above - 1]);
    part = Math.max(0, Math.min(1, part));
    double less = writeCost(model, above - 1);
    double writing = less + part * (writeCost(model, above) - less);
    int pages = (int) ((totalBytes - write) / World.PAGE_BYTES);
    double[] ratios = missRatios.computeIfAbsent(hasRing ? writeFraction : 0, this::missRatios);
    double missing = ratios[Math.max(0, Math.min(mostPages, pages))];
    double miss = model.misses().request() + model.misses().perByte() * World.PAGE_BYTES;
    return writeFraction * writing + (1 - writeFraction) * missing * miss;
  }

  /** The best write memory of a budget, of 400 that are tried. */
  double best(
      CostModel model,
      double totalBytes,
      double leastWrite,
      double leastCache,
      double writeFraction) {
    return bests.computeIfAbsent(
        List.of(model, totalBytes, leastWrite, leastCache, writeFraction),
        asked -> tried(model, totalBytes, leastWrite, leastCache, writeFraction));
  }

  private double tried(
      CostModel model,
      double totalBytes,
      double leastWrite,
      double leastCache,
      double writeFraction) {
    double best = leastWrite;
    for (int i = 0; i <= 400; i++) {
      double write = leastWrite + (totalBytes - leastCache - leastWrite) * i / 400;
      if (cost(model, totalBytes, write, writeFraction)
          < cost(model, totalBytes, best, writeFraction)) {
        best = write;
      }
    }
    return best;
  }
}
