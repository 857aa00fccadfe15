package org.loam.engine.tuning;

import java.util.function.LongSupplier;
import org.loam.common.env.NanoClock;
import org.loam.tuner.cost.ProcessorTimes;

/** What the processors have done since the engine was opened. Thread-safe. */
public final class Processors {
  private final NanoClock clock;
  private final LongSupplier workNanos;
  private final long beganNanos;

  /**
   * @param workNanos processor time that flushes and merges have taken
   */
  public Processors(NanoClock clock, LongSupplier workNanos) {
    this.clock = clock;
    this.workNanos = workNanos;
    this.beganNanos = clock.nanoTime();
  }

  /** All since then; nothing where processor time is not known. */
  ProcessorTimes counted() {
    long busyNanos = clock.busyNanos();
    return busyNanos > 0
        ? new ProcessorTimes(clock.nanoTime() - beganNanos, busyNanos, workNanos.getAsLong())
        : ProcessorTimes.NONE;
  }
}
