package org.loam.tuner.cost;

import java.util.Objects;

/**
 * How long the disk and the processors took in one cycle. Requests of the disk that run beside each
 * other count each by itself.
 *
 * @param missNanos for the reads that queries wait for
 * @param mergeReadNanos for the reads of merges
 * @param writtenBytes of tables that flushes and merges wrote
 * @param writeNanos for writing and forcing them
 * @param processors what the processors did meanwhile
 */
public record CycleTimes(
    long missNanos,
    long mergeReadNanos,
    long writtenBytes,
    long writeNanos,
    ProcessorTimes processors) {
  /** Nothing was measured. */
  public static final CycleTimes NONE = new CycleTimes(0, 0, 0, 0);

  public CycleTimes {
    Require.atLeast("times.missNanos", missNanos, 0);
    Require.atLeast("times.mergeReadNanos", mergeReadNanos, 0);
    Require.atLeast("times.writtenBytes", writtenBytes, 0);
    Require.atLeast("times.writeNanos", writeNanos, 0);
    // Histories of earlier versions have none.
    processors = Objects.requireNonNullElse(processors, ProcessorTimes.NONE);
  }

  /** A cycle whose processor time was not measured. */
  public CycleTimes(long missNanos, long mergeReadNanos, long writtenBytes, long writeNanos) {
    this(missNanos, mergeReadNanos, writtenBytes, writeNanos, ProcessorTimes.NONE);
  }

  /** What came after an earlier look. */
  public CycleTimes minus(CycleTimes before) {
    return new CycleTimes(
        missNanos - before.missNanos,
        mergeReadNanos - before.mergeReadNanos,
        writtenBytes - before.writtenBytes,
        writeNanos - before.writeNanos,
        processors.minus(before.processors));
  }

  /** These and those of a later cycle. */
  CycleTimes plus(CycleTimes next) {
    return new CycleTimes(
        missNanos + next.missNanos,
        mergeReadNanos + next.mergeReadNanos,
        writtenBytes + next.writtenBytes,
        writeNanos + next.writeNanos,
        processors.plus(next.processors));
  }
}
