package org.loam.tuner.cost;

/**
 * How long the disk took in one cycle. Requests that run beside each other count each by itself.
 *
 * @param missNanos for the reads that queries wait for
 * @param mergeReadNanos for the reads of merges
 * @param writtenBytes of tables that flushes and merges wrote
 * @param writeNanos for writing and forcing them
 */
public record DiskTimes(long missNanos, long mergeReadNanos, long writtenBytes, long writeNanos) {
  /** Nothing was measured. */
  public static final DiskTimes NONE = new DiskTimes(0, 0, 0, 0);

  public DiskTimes {
    Require.atLeast("times.missNanos", missNanos, 0);
    Require.atLeast("times.mergeReadNanos", mergeReadNanos, 0);
    Require.atLeast("times.writtenBytes", writtenBytes, 0);
    Require.atLeast("times.writeNanos", writeNanos, 0);
  }

  /** What came after an earlier look. */
  public DiskTimes minus(DiskTimes before) {
    return new DiskTimes(
        missNanos - before.missNanos,
        mergeReadNanos - before.mergeReadNanos,
        writtenBytes - before.writtenBytes,
        writeNanos - before.writeNanos);
  }

  /** These and those of a later cycle. */
  DiskTimes plus(DiskTimes next) {
    return new DiskTimes(
        missNanos + next.missNanos,
        mergeReadNanos + next.mergeReadNanos,
        writtenBytes + next.writtenBytes,
        writeNanos + next.writeNanos);
  }
}
