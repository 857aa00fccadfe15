package org.loam.tuner.cost;

/**
 * What the disk did for one operation of a cycle, on average, in the unit of a cost model.
 *
 * @param flushes writes of flushes
 * @param mergeWrites writes of merges
 * @param mergeReads reads of merges
 * @param misses reads that queries waited for
 */
public record CycleCost(double flushes, double mergeWrites, double mergeReads, double misses) {
  /** The cost of one operation; all 0 if there was none. */
  public static CycleCost of(CycleSample sample, CostModel model) {
    double operations = Math.max(1.0, (double) sample.operations());
    double flushed = 0;
    double merged = 0;
    for (TreeSample tree : sample.trees()) {
      flushed += model.writeCost((double) tree.flushed().bytes());
      merged += model.writeCost((double) tree.mergedBytes());
    }
    double mergeReads = 0;
    double misses = 0;
    int pageBytes = sample.memory().pageBytes();
    for (ReadClass readClass : ReadClass.values()) {
      double cost = model.readCost(readClass, sample.reads(readClass), pageBytes);
      if (readClass == ReadClass.MERGE) {
        mergeReads += cost;
      } else {
        misses += cost;
      }
    }
    return new CycleCost(
        flushed / operations, merged / operations, mergeReads / operations, misses / operations);
  }

  /** What is minimised: ω · writes + γ · reads. */
  public double weighted(Weights weights) {
    return weights.writes() * (flushes + mergeWrites) + weights.reads() * (mergeReads + misses);
  }
}
