package org.loam.scheduler.work;

/**
 * When merge workers look for another merge to open: after every change, when a plan that met
 * corruption has rested, once there may have been no write for some time, and now and then where
 * reads may call for a merge or keep files from being deleted. Guarded by its owner.
 */
final class NextLook {
  private final long quietNanos;

  /** The version at which nothing more could be opened. */
  private long idleVersion = -1;

  /** Whether a look is due at a time even if nothing changes before. */
  private boolean timed;

  private long timedNanos;
  private long latestWrite;

  /** When it was first seen. */
  private long latestWriteNanos;

  /**
   * @param quietNanos how long there must be no write for it to be quiet, {@code Long.MAX_VALUE} if
   *     it never is
   */
  NextLook(long quietNanos, long nowNanos) {
    this.quietNanos = quietNanos;
    this.latestWriteNanos = nowNanos;
  }

  /** Whether there is a reason to look. */
  boolean isDue(long version, long nowNanos) {
    return idleVersion != version || (timed && leftNanos(nowNanos) <= 0);
  }

  /** Whether a look is due at a time even if nothing changes before. */
  boolean isTimed() {
    return timed;
  }

  /** How long it is until then, zero or less if the look is due. */
  long leftNanos(long nowNanos) {
    return timedNanos - nowNanos;
  }

  /** A look begins, which finds anew when the next one is due. */
  void begin() {
    timed = false;
  }

  /** The next look is due at a time at the latest. */
  void at(long nanos) {
    if (!timed || nanos - timedNanos < 0) {
      timed = true;
      timedNanos = nanos;
    }
  }

  /** A look at a version found nothing that could be opened. */
  void foundNothing(long version) {
    idleVersion = version;
  }

  /**
   * Whether there has been no write for some time; if there was one, another look is due.
   *
   * @param write the latest one, as {@link WorkSource#latestWrite} names it
   */
  boolean isQuiet(long write, long nowNanos) {
    if (quietNanos == Long.MAX_VALUE) {
      return false;
    }
    if (write != latestWrite) {
      latestWrite = write;
      latestWriteNanos = nowNanos;
    }
    long quietAtNanos = latestWriteNanos + quietNanos;
    if (quietAtNanos - nowNanos <= 0) {
      return true;
    }
    at(quietAtNanos);
    return false;
  }
}
