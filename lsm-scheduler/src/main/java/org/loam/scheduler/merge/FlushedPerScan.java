package org.loam.scheduler.merge;

/**
 * How many bytes a tree flushes for each scan of it, lately. What was flushed before the last write
 * memory, and the scans before it, count half, those of another one before a quarter, and so on.
 * Guarded by its owner.
 */
public final class FlushedPerScan {
  /** With more scans than one for so many bytes the answer is the same for every policy. */
  private static final double LEAST = 1 << 10;

  private double bytes;
  private double scans;
  private long seen;

  /**
   * A flush has ended.
   *
   * @param memoryBytes write memory of the tree, above 0
   * @param scansNow all scans of the tree so far
   */
  public void flushed(long flushedBytes, long memoryBytes, long scansNow) {
    double kept = Math.pow(0.5, (double) flushedBytes / memoryBytes);
    bytes = bytes * kept + flushedBytes;
    scans = Math.min(scans * kept + scansNow - seen, bytes / LEAST);
    seen = scansNow;
  }

  /**
   * Bytes flushed for a scan; {@link Double#POSITIVE_INFINITY} if there was none.
   *
   * @param scansNow all scans of the tree so far
   */
  public double bytes(long scansNow) {
    double now = scans + scansNow - seen;
    return now == 0 ? Double.POSITIVE_INFINITY : bytes / now;
  }
}
