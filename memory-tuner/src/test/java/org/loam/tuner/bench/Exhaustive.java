package org.loam.tuner.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
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
 * What a workload costs at every split, found by trying: write memory of 48 sizes, each until it is
 * steady, and the miss ratio of every cache beside it, from the stack distances (Mattson et al.,
 * 1970) of one long run of the reads that write memory does not answer. How long misses wait
 * follows from how busy the disk is with what is flushed and merged ({@link Device#waitingNanos}).
 * What a tuner decided is judged by these costs, not by a noisy cycle.
 */
final class Exhaustive {
  /**
   * By what a split is judged.
   *
   * @param device where the operations run
   * @param costs what its requests count
   * @param waitingPart what the time counts that misses wait for flushes and merges
   */
  record Judge(Device device, CostModel costs, double waitingPart) {
    /** Time at the disk counts. */
    static Judge of(Device device) {
      return new Judge(device, device.requests(), 1);
    }
  }

  private static final int SIZES = 48;

  /** What readers find changes little from a size to the next one. */
  private static final int READ_SIZES = 16;

  private static final int READS = 300_000;

  /** Flushes of so many times the write memory fill L0 and the levels once. */
  private static final int PERIODS = 10;

  private static final int LEAST_WRITES = 40_000;
  private static final int MOST_WRITES = 1_000_000;

  private final double[] writeBytes;
  private final double[] readBytes;

  /** Flushes and merges at each size. */
  private final CycleSample[] writes;

  private final Supplier<Workload> workload;
  private final long logBytes;
  private final int mostPages;

  /** Misses of a read: for each part of writes, by the write memory, by pages of the cache. */
  private final Map<Double, double[][]> missRatios = new HashMap<>();

  /** What {@link #best} has found, by its arguments: a run asks after each cycle. */
  private final Map<List<Object>, Double> bests = new HashMap<>();

  Exhaustive(Supplier<Workload> workload, long leastBytes, long mostBytes, long logBytes) {
    this.workload = workload;
    this.logBytes = logBytes;
    this.mostPages = (int) (mostBytes / World.PAGE_BYTES) + 1;
    this.writeBytes = sizes(SIZES, leastBytes, mostBytes);
    this.readBytes = sizes(READ_SIZES, leastBytes, mostBytes);
    this.writes =
        IntStream.range(0, SIZES)
            .parallel()
            .mapToObj(size -> writes(workload.get(), (long) writeBytes[size]))
            .toArray(CycleSample[]::new);
  }

  private static double[] sizes(int count, long least, long most) {
    double[] sizes = new double[count];
    for (int i = 0; i < count; i++) {
      sizes[i] = least * Math.pow((double) most / least, i / (count - 1.0));
    }
    return sizes;
  }

  private CycleSample writes(Workload workload, long bytes) {
    SplittableRandom random = new SplittableRandom(bytes);
    WriteSide side = new WriteSide(workload, bytes, logBytes);
    long least = leastWrites(workload);
    write(side, random, least, PERIODS * bytes);
    side.endCycle();
    long measured = write(side, random, least, PERIODS * bytes);
    List<TreeSample> trees = side.endCycle();
    long mergedPages = trees.stream().mapToLong(TreeSample::mergedBytes).sum() / World.PAGE_BYTES;
    long streams = mergedPages * World.PAGE_BYTES / Device.STREAM_BYTES;
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
  private double[] missRatios(double writeFraction, Workload workload, long bytes) {
    WriteSide side = new WriteSide(workload, bytes, logBytes);
    write(side, new SplittableRandom(bytes), leastWrites(workload), 2 * bytes);
    SplittableRandom random = new SplittableRandom(1);
    int[] firstPages = World.firstPages(workload);
    int[] lastUse = new int[firstPages[workload.trees().size()]];
    int[] counts = new int[READS + 1];
    double[] hits = new double[mostPages + 1];
    int measuredFrom = READS / 3;
    for (int time = 1; time <= READS; time++) {
      while (random.nextDouble() < writeFraction) {
        side.write(random);
      }
      int tree = workload.readTree(random);
      int key = workload.trees().get(tree).reads().next(random);
      if (side.has(tree, key)) {
        hits[0] += time > measuredFrom ? 1 : 0;
        continue;
      }
      int page = firstPages[tree] + key / World.RECORDS_PER_PAGE;
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

  private double[][] missRatios(double writeFraction) {
    return IntStream.range(0, READ_SIZES)
        .parallel()
        .mapToObj(size -> missRatios(writeFraction, workload.get(), (long) readBytes[size]))
        .toArray(double[][]::new);
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
  double cost(Judge judge, double totalBytes, double write, double writeFraction) {
    int pages = (int) ((totalBytes - write) / World.PAGE_BYTES);
    int cached = Math.max(0, Math.min(mostPages, pages));
    double[][] ratios = missRatios.computeIfAbsent(writeFraction, this::missRatios);
    Device device = judge.device;
    double misses = (1 - writeFraction) * at(readBytes, write, size -> ratios[size][cached]);
    double writing = at(writeBytes, write, size -> writeCost(judge.costs, size));
    double background = at(writeBytes, write, size -> writeCost(device.requests(), size));
    double waiting = device.waitingNanos(writeFraction * background, misses);
    CostModel.Line miss = judge.costs.misses();
    return writeFraction * writing
        + misses * (miss.request() + miss.perByte() * World.PAGE_BYTES)
        + judge.waitingPart * waiting;
  }

  /** Straight between the sizes. */
  private static double at(double[] sizes, double bytes, IntToDoubleFunction value) {
    int above = 1;
    while (above < sizes.length - 1 && sizes[above] < bytes) {
      above++;
    }
    double part = (bytes - sizes[above - 1]) / (sizes[above] - sizes[above - 1]);
    double less = value.applyAsDouble(above - 1);
    return less + Math.max(0, Math.min(1, part)) * (value.applyAsDouble(above) - less);
  }

  /** The best write memory of a budget, of 400 that are tried. */
  double best(
      Judge judge, double totalBytes, double leastWrite, double leastCache, double writeFraction) {
    return bests.computeIfAbsent(
        List.of(judge, totalBytes, leastWrite, leastCache, writeFraction),
        asked -> tried(judge, totalBytes, leastWrite, leastCache, writeFraction));
  }

  private double tried(
      Judge judge, double totalBytes, double leastWrite, double leastCache, double writeFraction) {
    double best = leastWrite;
    for (int i = 0; i <= 400; i++) {
      double write = leastWrite + (totalBytes - leastCache - leastWrite) * i / 400;
      if (cost(judge, totalBytes, write, writeFraction)
          < cost(judge, totalBytes, best, writeFraction)) {
        best = write;
      }
    }
    return best;
  }
}
