package org.loam.workbench.peer;

import java.util.Optional;

/** What a benchmark asks of an engine beside its operations. Thread-safe. */
public interface Measured {
  /** Moves everything written so far into disk components; returns when that is done. */
  void flush();

  /** Bytes the engine says it has written to files since it was opened, its log included. */
  long bytesWritten();

  /** What the engine says of itself now; an empty sample if it says nothing. */
  default Sample sample() {
    return new Sample();
  }

  /**
   * The longest wait of a writer that began since a moment, as the engine reports it: "cause, so
   * many ms". Empty if no writer waited, or if the engine reports no waits.
   *
   * @param nanoTime of {@link System#nanoTime}
   */
  default Optional<String> longestWaitSince(long nanoTime) {
    return Optional.empty();
  }
}
