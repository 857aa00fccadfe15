package org.loam.tuner.cost;

/**
 * What the processors did in one cycle.
 *
 * @param elapsedNanos how long it was; 0 if processor time is not known
 * @param busyNanos processor time of the process, divided by the number of processors
 * @param workNanos processor time of the threads that flush and merge
 */
public record ProcessorTimes(long elapsedNanos, long busyNanos, long workNanos) {
  /** Nothing was measured. */
  public static final ProcessorTimes NONE = new ProcessorTimes(0, 0, 0);

  public ProcessorTimes {
    Require.atLeast("processors.elapsedNanos", elapsedNanos, 0);
    Require.atLeast("processors.busyNanos", busyNanos, 0);
    Require.atLeast("processors.workNanos", workNanos, 0);
  }

  /** The part of all processors that was in use, 0..1; 0 if it is not known. */
  public double busyPart() {
    return elapsedNanos > 0 ? Math.min(1, (double) busyNanos / elapsedNanos) : 0;
  }

  ProcessorTimes minus(ProcessorTimes before) {
    return new ProcessorTimes(
        elapsedNanos - before.elapsedNanos,
        busyNanos - before.busyNanos,
        workNanos - before.workNanos);
  }

  ProcessorTimes plus(ProcessorTimes next) {
    return new ProcessorTimes(
        elapsedNanos + next.elapsedNanos, busyNanos + next.busyNanos, workNanos + next.workNanos);
  }
}
