package org.loam.common.config;

/**
 * The write memory.
 *
 * @param initialBytes its size at open, from where the tuner changes it
 * @param scheme how trees share it
 * @param activeDatasets among which the scheme STATIC divides it
 * @param levels what the schemes that merge in memory go by
 * @param flushThreshold how full it gets before components are flushed, a fraction
 * @param flushPolicy which component is flushed
 * @param control what writers meet as L0 fills
 * @param bulkLoads bulk loads that may be open at once
 */
public record WriteConfig(
    long initialBytes,
    WriteScheme scheme,
    int activeDatasets,
    Levels levels,
    double flushThreshold,
    FlushPolicy flushPolicy,
    Control control,
    int bulkLoads) {
  /**
   * What writers meet as L0 fills.
   *
   * @param slowdown before they have to stop
   * @param limitBytesPerSecond of each tree, where that is {@link WriteSlowdown#LIMIT}
   * @param constraint what stops them
   */
  public record Control(
      WriteSlowdown slowdown, long limitBytesPerSecond, WriteConstraint constraint) {
    /** The defaults. */
    public static final Control DEFAULT =
        new Control(WriteSlowdown.PACE, 64L << 20, WriteConstraint.L0);
  }

  /**
   * What the schemes that merge in memory go by.
   *
   * @param activeBytes size at which what takes writes is merged into the first memory level, or
   *     followed by an empty one; 0 for the default of the scheme
   * @param partialFlushRatio with LEVELS, part of the memory of a tree: if less than that was
   *     flushed lately for the sake of memory, a flush for the sake of the log takes the whole tree
   */
  public record Levels(long activeBytes, double partialFlushRatio) {
    /** The defaults. */
    public static final Levels DEFAULT = new Levels(0, 0.5);
  }
}
