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

  /** Processor time of a miss: the request, two switches of threads, and a page of the cache. */
  static final CostModel.Line MISS_PROCESSOR_TIME = new CostModel.Line(20_000, 0.3);

  private final CostModel assumed;
  private final Scale misses;
  private final Scale mergeReads;
  private final Scale writes;
  private final Processors processors;

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

  private MeasuredCosts(
      CostModel assumed, Scale misses, Scale mergeReads, Scale writes, Processors processors) {
    this.assumed = assumed;
    this.misses = misses;
    this.mergeReads = mergeReads;
    this.writes = writes;
    this.processors = processors;
  }

  /** Nothing was measured yet: what is assumed counts. */
  public static MeasuredCosts of(CostModel assumed) {
    return new MeasuredCosts(
        assumed, Scale.UNKNOWN, Scale.UNKNOWN, Scale.UNKNOWN, Processors.UNKNOWN);
  }

  /** With what the disk took in the next cycle. */
  public MeasuredCosts plus(CycleSample sample) {
    int pageBytes = sample.memory().pageBytes();
    double expectedMisses = 0;
    for (ReadClass readClass : ReadClass.values()) {
      if (readClass != ReadClass.MERGE) {
        expectedMisses += assumed.readCost(readClass, sample.reads(readClass), pageBytes);
      }
    }
    double expectedMergeReads =
        assumed.readCost(ReadClass.MERGE, sample.reads(ReadClass.MERGE), pageBytes);
    CycleTimes times = sample.times();
    return new MeasuredCosts(
        assumed,
        misses.plus(expectedMisses, times.missNanos()),
        mergeReads.plus(expectedMergeReads, times.mergeReadNanos()),
        writes.plus(assumed.writeCost((double) times.writtenBytes()), times.writeNanos()),
        processors.plus(times));
  }

  /** What requests cost; a byte that is written has the processor time of the whole merge. */
  public CostModel model() {
    CostModel.Line work = new CostModel.Line(0, processors.nanosPerWrittenByte());
    return new CostModel(
        assumed.unit(),
        processors.between(assumed.misses().times(misses.factor()), MISS_PROCESSOR_TIME),
        processors.between(assumed.streamReads().times(mergeReads.factor()), CostModel.Line.NONE),
        processors.between(assumed.streamWrites().times(writes.factor()), work),
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
    numbers.put("busyPart", processors.busyPart());
    numbers.put("workNanosPerByte", processors.nanosPerWrittenByte());
    return numbers;
  }
}
