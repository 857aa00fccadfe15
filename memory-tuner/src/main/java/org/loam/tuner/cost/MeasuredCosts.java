package org.loam.tuner.cost;

import java.util.Map;

/**
 * What requests of the disk cost, as they were measured: the lines of an assumed model, each
 * stretched by what its requests took, divided by what they should have taken. A miss may be a copy
 * from the page cache of the operating system, and a fraction of a read of the device. Immutable.
 *
 * <p>A scale is the geometric mean over cycles, of which each counts by what was expected of it,
 * and half as much as the one after it: so a device that became 20 times as fast or as slow is seen
 * in a few cycles, and one request that hung moves little. Costs in pages have no scale.
 */
public final class MeasuredCosts {
  /** What an older cycle counts beside the next one. */
  private static final double KEPT = 0.5;

  /** A scale beyond it is no device but an accident. */
  private static final double MOST_SCALE = 1000;

  private final CostModel assumed;
  private final Scale misses;
  private final Scale mergeReads;
  private final Scale writes;

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

  private MeasuredCosts(CostModel assumed, Scale misses, Scale mergeReads, Scale writes) {
    this.assumed = assumed;
    this.misses = misses;
    this.mergeReads = mergeReads;
    this.writes = writes;
  }

  /** Nothing was measured yet: what is assumed counts. */
  public static MeasuredCosts of(CostModel assumed) {
    return new MeasuredCosts(assumed, Scale.UNKNOWN, Scale.UNKNOWN, Scale.UNKNOWN);
  }

  /** With what the disk took in the next cycle. */
  public MeasuredCosts plus(CycleSample sample) {
    if (assumed.unit() != CostModel.Unit.NANOS) {
      return this;
    }
    int pageBytes = sample.memory().pageBytes();
    double expectedMisses = 0;
    for (ReadClass readClass : ReadClass.values()) {
      if (readClass != ReadClass.MERGE) {
        expectedMisses += assumed.readCost(readClass, sample.reads(readClass), pageBytes);
      }
    }
    double expectedMergeReads =
        assumed.readCost(ReadClass.MERGE, sample.reads(ReadClass.MERGE), pageBytes);
    DiskTimes times = sample.times();
    return new MeasuredCosts(
        assumed,
        misses.plus(expectedMisses, times.missNanos()),
        mergeReads.plus(expectedMergeReads, times.mergeReadNanos()),
        writes.plus(assumed.writeCost((double) times.writtenBytes()), times.writeNanos()));
  }

  /** What requests cost. */
  public CostModel model() {
    return new CostModel(
        assumed.unit(),
        assumed.misses().times(misses.factor()),
        assumed.streamReads().times(mergeReads.factor()),
        assumed.streamWrites().times(writes.factor()),
        assumed.streamBytes());
  }

  /** The scales by name. */
  public Map<String, Double> scales() {
    return Map.of(
        "missScale", misses.factor(),
        "mergeReadScale", mergeReads.factor(),
        "writeScale", writes.factor());
  }
}
