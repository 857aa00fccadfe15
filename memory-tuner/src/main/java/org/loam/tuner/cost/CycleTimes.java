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
 * @param beside which of the reads that queries wait for ran beside flushes and merges
 */
public record CycleTimes(
    long missNanos,
    long mergeReadNanos,
    long writtenBytes,
    long writeNanos,
    ProcessorTimes processors,
    Beside beside) {
  /** Nothing was measured. */
  public static final CycleTimes NONE = new CycleTimes(0, 0, 0, 0);

  /**
   * Reads that queries wait for, beside requests of flushes and merges.
   *
   * @param requests of the disk
   * @param nanos that they took, each by itself
   */
  public record Beside(long requests, long nanos) {
    /** None was. */
    public static final Beside NONE = new Beside(0, 0);

    public Beside {
      Require.atLeast("times.beside.requests", requests, 0);
      Require.atLeast("times.beside.nanos", nanos, 0);
    }

    private Beside minus(Beside before) {
      return new Beside(requests - before.requests, nanos - before.nanos);
    }

    private Beside plus(Beside next) {
      return new Beside(requests + next.requests, nanos + next.nanos);
    }
  }

  public CycleTimes {
    Require.atLeast("times.missNanos", missNanos, 0);
    Require.atLeast("times.mergeReadNanos", mergeReadNanos, 0);
    Require.atLeast("times.writtenBytes", writtenBytes, 0);
    Require.atLeast("times.writeNanos", writeNanos, 0);
    // Histories of earlier versions have none.
    processors = Objects.requireNonNullElse(processors, ProcessorTimes.NONE);
    beside = Objects.requireNonNullElse(beside, Beside.NONE);
  }

  /** A cycle in which it was not measured what ran beside flushes and merges. */
  public CycleTimes(
      long missNanos,
      long mergeReadNanos,
      long writtenBytes,
      long writeNanos,
      ProcessorTimes processors) {
    this(missNanos, mergeReadNanos, writtenBytes, writeNanos, processors, Beside.NONE);
  }

  /** The same, without processor time. */
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
        processors.minus(before.processors),
        beside.minus(before.beside));
  }

  /** These and those of a later cycle. */
  CycleTimes plus(CycleTimes next) {
    return new CycleTimes(
        missNanos + next.missNanos,
        mergeReadNanos + next.mergeReadNanos,
        writtenBytes + next.writtenBytes,
        writeNanos + next.writeNanos,
        processors.plus(next.processors),
        beside.plus(next.beside));
  }
}
