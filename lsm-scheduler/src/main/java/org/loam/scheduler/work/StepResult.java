package org.loam.scheduler.work;

/** What a step of a {@link BackgroundOperation} left to be done. */
public enum StepResult {
  /** Step again. */
  MORE,
  /** Call {@link BackgroundOperation#force}, then step again. */
  NEEDS_FORCE,
  /**
   * The result is installed; only {@link BackgroundOperation#transferredBytes} may still be asked.
   */
  DONE
}
