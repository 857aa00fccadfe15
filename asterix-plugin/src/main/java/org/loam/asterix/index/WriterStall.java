package org.loam.asterix.index;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The stall of the writers that an index keeps out: one, from the first writer that has to wait
 * until the next one that may go in. Thread-safe: those that wait for a large record come beside
 * others, since AsterixDB has no lock around them.
 */
final class WriterStall {
  private final Supplier<@Nullable Runnable> recorded;

  /** Ends the stall; null while no writer is kept out. */
  private final AtomicReference<@Nullable Runnable> end = new AtomicReference<>();

  /**
   * No writer is kept out yet.
   *
   * @param recorded records that a stall begins; gives what ends it, null if nothing is recorded
   */
  WriterStall(Supplier<@Nullable Runnable> recorded) {
    this.recorded = recorded;
  }

  /** A writer has to wait. */
  synchronized void begin() {
    if (end.get() == null) {
      end.set(recorded.get());
    }
  }

  /** A writer may go in; nearly always none is kept out, and then nothing is written. */
  void end() {
    if (end.get() != null) {
      // In one step: a stall that begins meanwhile is not forgotten.
      Runnable ended = end.getAndSet(null);
      if (ended != null) {
        ended.run();
      }
    }
  }
}
