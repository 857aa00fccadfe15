package org.loam.common.config;

/**
 * The memory tuner.
 *
 * @param mode what it does with its decisions
 * @param policy how it decides
 * @param cost what it counts
 * @param bounds the least sizes of both sides
 * @param weights how much writing and reading count
 * @param cycle when a cycle ends
 */
public record TunerConfig(
    TunerMode mode,
    TunerPolicy policy,
    TunerCost cost,
    Bounds bounds,
    Weights weights,
    Cycle cycle) {
  /**
   * Least sizes.
   *
   * @param leastWriteBytes of the write memory; 0 for what follows from the total
   * @param leastCacheBytes of the buffer cache; 0 for what follows from the total
   */
  public record Bounds(long leastWriteBytes, long leastCacheBytes) {}

  /**
   * How much a cost counts.
   *
   * @param writes ω
   * @param reads γ
   */
  public record Weights(double writes, double reads) {}

  /**
   * Length of a cycle: whichever comes first.
   *
   * @param bytes growth of the log, or bytes that queries read from disk; 0 for what follows from
   *     the total
   * @param seconds time
   */
  public record Cycle(long bytes, int seconds) {}
}
