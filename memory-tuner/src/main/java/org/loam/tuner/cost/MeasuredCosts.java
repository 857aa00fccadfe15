package org.loam.tuner.cost;

import java.util.HashMap;
import java.util.Map;

/**
 * What requests of the disk cost, as they were measured: the lines of an assumed model, each
 * stretched by what its requests took, divided by what they should have taken. A miss may be a copy
 * from the page cache of the operating system, and a fraction of a read of the device. Immutable.
 *
 * <p>A scale is the geometric mean over cycles, of which each counts by what was expected of it,
 * and half as much as the one after it: so a device that became 20 times as fast or as slow is seen
 * in a few cycles, and one request that hung moves little.
 *
 * <p>A miss takes longer beside a request of a flush or a merge, and that is a cost of these. So it
 * is measured how much longer, on average in each cycle; all of that is divided by the bytes that
 * flushes and merges wrote and read, and counts for each of these bytes, and not for misses.
 *
 * <p>What a request costs users depends on the processors. While they are idle it is its time at
 * the disk. While all of them are busy others run in that time, so that it keeps nothing from being
 * done, but its processor time does: what flushes and merges take is measured, that of a miss is
 * assumed. Between the two, each counts by the part of the processors that is busy.
 */
public final class MeasuredCosts {
  /** What an older cycle counts beside the next one. */
  private static final double KEPT = 0.5;

  /** A scale beyond it is no device but an accident. */
  private static final double MOST_SCALE = 1000;

  /** Flushes and merges that take longer for a byte wrote hardly any. */
  private static final double MOST_NANOS_PER_BYTE = 1000;

  /** Of fewer misses the average says little. */
  private static final int LEAST_REQUESTS = 64;

  /** Processor time of a miss: the request, two switches of threads, and a page of the cache. */
  static final CostModel.Line MISS_PROCESSOR_TIME = new CostModel.Line(20_000, 0.3);

  private final CostModel assumed;
  private final Scale misses;
  private final Scale mergeReads;
  private final Scale writes;
  private final Processors processors;
  private final Delay delay;

  /**
   * How busy the processors are, and what flushes and merges take of them.
   *
   * @param elapsed nanoseconds of all cycles, older ones aged
   * @param busy of them, on each processor
   * @param work processor time of flushes and merges, in nanoseconds
   * @param writtenBytes for which it was needed
   */
  private record Processors(double elapsed, double busy, double work, double writtenBytes) {
    static final Processors UNKNOWN = new Processors(0, 0, 0, 0);

    Processors plus(CycleTimes times) {
      ProcessorTimes next = times.processors();
      if (next.elapsedNanos() == 0) {
        return this;
      }
      return new Processors(
          elapsed * KEPT + next.elapsedNanos(),
          busy * KEPT + next.busyPart() * next.elapsedNanos(),
          work * KEPT + next.workNanos(),
          writtenBytes * KEPT + times.writtenBytes());
    }

    double busyPart() {
      return elapsed > 0 ? busy / elapsed : 0;
    }

    double nanosPerWrittenByte() {
      return writtenBytes > 0 ? Math.min(MOST_NANOS_PER_BYTE, work / writtenBytes) : 0;
    }

    /** What a request costs between its time at the disk and its processor time. */
    CostModel.Line between(CostModel.Line disk, CostModel.Line processor) {
      return disk.times(1 - busyPart()).plus(processor.times(busyPart()));
    }
  }

  /**
   * One of the scales.
   *
   * @param weight what was expected, older cycles aged
   * @param logarithms of the scale of each cycle, each times its weight
   */
  private record Scale(double weight, double logarithms) {
    static final Scale UNKNOWN = new Scale(0, 0);

    Scale plus(double expected, long measured) {
      if (!(expected > 0) || measured <= 0) {
        return this;
      }
      double scale = Math.max(1 / MOST_SCALE, Math.min(MOST_SCALE, measured / expected));
      return new Scale(weight * KEPT + expected, logarithms * KEPT + expected * Math.log(scale));
    }

    double factor() {
      return weight > 0 ? Math.exp(logarithms / weight) : 1;
    }
  }

  /**
   * How much longer misses took because flushes and merges used the disk.
   *
   * @param nanos of all misses together, older cycles aged
   * @param bytes that flushes and merges wrote and read
   */
  private record Delay(double nanos, double bytes) {
    static final Delay UNKNOWN = new Delay(0, 0);

    Delay plus(double nextNanos, double nextBytes) {
      return nextBytes > 0 ? new Delay(nanos * KEPT + nextNanos, bytes * KEPT + nextBytes) : this;
    }

    double nanosPerByte() {
      return bytes > 0 ? Math.min(MOST_NANOS_PER_BYTE, nanos / bytes) : 0;
    }

    /**
     * By how much the misses of a cycle were longer: those beside flushes and merges, than if they
     * had taken what the others took on average. Where there are too few of either, what is known
     * of the bytes decides.
     *
     * @param misses requests, beside flushes and merges or not
     * @param nextBytes that flushes and merges wrote and read
     */
    double nanosIn(CycleTimes times, long misses, double nextBytes) {
      CycleTimes.Beside beside = times.beside();
      long apart = misses - beside.requests();
      // Counts of a request may be in two cycles.
      double besideNanos = (double) Math.min(beside.nanos(), times.missNanos());
      if (!(nextBytes > 0)) {
        return 0;
      }
      if (beside.requests() < LEAST_REQUESTS || apart < LEAST_REQUESTS) {
        return Math.min(besideNanos, nanosPerByte() * nextBytes);
      }
      double usual = ((double) times.missNanos() - besideNanos) / apart;
      return Math.max(0, besideNanos - usual * beside.requests());
    }
  }

  private MeasuredCosts(
      CostModel assumed,
      Scale misses,
      Scale mergeReads,
      Scale writes,
      Processors processors,
      Delay delay) {
    this.assumed = assumed;
    this.misses = misses;
    this.mergeReads = mergeReads;
    this.writes = writes;
    this.processors = processors;
    this.delay = delay;
  }

  /** Nothing was measured yet: what is assumed counts. */
  public static MeasuredCosts of(CostModel assumed) {
    return new MeasuredCosts(
        assumed, Scale.UNKNOWN, Scale.UNKNOWN, Scale.UNKNOWN, Processors.UNKNOWN, Delay.UNKNOWN);
  }

  /** With what the disk took in the next cycle. */
  public MeasuredCosts plus(CycleSample sample) {
    int pageBytes = sample.memory().pageBytes();
    double expectedMisses = 0;
    long requests = 0;
    for (ReadClass readClass : ReadClass.values()) {
      if (readClass != ReadClass.MERGE) {
        expectedMisses += assumed.readCost(readClass, sample.reads(readClass), pageBytes);
        requests += sample.reads(readClass).requests();
      }
    }
    ReadSample merges = sample.reads(ReadClass.MERGE);
    double expectedMergeReads = assumed.readCost(ReadClass.MERGE, merges, pageBytes);
    CycleTimes times = sample.times();
    double background = (double) times.writtenBytes() + (double) merges.missedPages() * pageBytes;
    double delayed = delay.nanosIn(times, requests, background);
    return new MeasuredCosts(
        assumed,
        misses.plus(expectedMisses, times.missNanos() - Math.round(delayed)),
        mergeReads.plus(expectedMergeReads, times.mergeReadNanos()),
        writes.plus(assumed.writeCost((double) times.writtenBytes()), times.writeNanos()),
        processors.plus(times),
        delay.plus(delayed, background));
  }

  /** What requests cost; a byte that is written has the processor time of the whole merge. */
  public CostModel model() {
    CostModel.Line delays = new CostModel.Line(0, delay.nanosPerByte());
    CostModel.Line work = new CostModel.Line(0, processors.nanosPerWrittenByte());
    return new CostModel(
        assumed.unit(),
        processors.between(assumed.misses().times(misses.factor()), MISS_PROCESSOR_TIME),
        processors.between(
            assumed.streamReads().times(mergeReads.factor()).plus(delays), CostModel.Line.NONE),
        processors.between(assumed.streamWrites().times(writes.factor()).plus(delays), work),
        assumed.streamBytes());
  }

  /** The scales by name. */
  Map<String, Double> scales() {
    return Map.of(
        "missScale", misses.factor(),
        "mergeReadScale", mergeReads.factor(),
        "writeScale", writes.factor());
  }

  /** All that was measured, by name. */
  public Map<String, Double> numbers() {
    Map<String, Double> numbers = new HashMap<>(scales());
    numbers.put("missDelayNanosPerByte", delay.nanosPerByte());
    numbers.put("busyPart", processors.busyPart());
    numbers.put("workNanosPerByte", processors.nanosPerWrittenByte());
    return numbers;
  }
}
