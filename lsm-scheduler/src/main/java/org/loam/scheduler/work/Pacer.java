package org.loam.scheduler.work;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Gives writes their turns at a rate. Thread-safe and without a lock: a write that is early enough
 * pays with one compare-and-set.
 */
public final class Pacer {
  /** A turn that is nearer is not worth a wait: to sleep and to wake takes a tenth of it. */
  static final long LEAST_WAIT_NANOS = 500_000;

  /** Time that was not used counts so long: a thread may sleep longer than it wanted to. */
  private static final long CREDIT_NANOS = 5_000_000;

  /** No turn at a pace is further away, however slow the relief: what bounds L0 is the stop. */
  static final long MOST_WAIT_NANOS = 100_000_000;

  /** A turn below a limit may be as far away as the limit says. */
  static final long ANY_WAIT_NANOS = Long.MAX_VALUE / 4;

  /** When the next turn begins. */
  private final AtomicLong next;

  private final AtomicLong bytes = new AtomicLong();

  Pacer(long nowNanos) {
    next = new AtomicLong(nowNanos);
  }

  /** Bytes of all turns so far. */
  long bytes() {
    return bytes.get();
  }

  /**
   * Takes a turn, which begins when all that came before is paid for.
   *
   * @param taken what the write has taken at other gates
   * @param mostNanos no turn is further away
   */
  Turn turn(@Nullable Turn taken, long size, double bytesPerSecond, long mostNanos, long nowNanos) {
    bytes.addAndGet(size);
    long cost = (long) Math.min((double) mostNanos, size * 1e9 / bytesPerSecond);
    while (true) {
      long before = next.get();
      long begin = Math.max(before - nowNanos, -CREDIT_NANOS);
      // A writer that read the clock long ago must not take back the turns of others.
      long end = Math.min(begin + cost, Math.max(begin, mostNanos));
      if (next.compareAndSet(before, nowNanos + end)) {
        return new Turn(taken, this, size, nowNanos + Math.max(0, begin), end - begin);
      }
    }
  }

  /** What comes later does not wait for a turn that was taken. */
  void giveBack(long size, long nanos) {
    next.addAndGet(-nanos);
    bytes.addAndGet(-size);
  }

  /**
   * What a write takes of the time of later ones, at each gate that it has passed. A write that is
   * not written after all gives it back.
   */
  public static final class Turn {
    /** Of a write that has passed open gates alone. */
    public static final Turn NONE = new Turn(null, new Pacer(0), 0, 0, 0);

    private final @Nullable Turn before;
    private final Pacer pacer;
    private final long bytes;
    private final long beginNanos;
    private final long nanos;

    /**
     * A turn at one more gate.
     *
     * @param before at the gates before it
     * @param beginNanos when the write may go on
     * @param nanos that turns after it wait for it
     */
    Turn(@Nullable Turn before, Pacer pacer, long bytes, long beginNanos, long nanos) {
      this.before = before;
      this.pacer = pacer;
      this.bytes = bytes;
      this.beginNanos = beginNanos;
      this.nanos = nanos;
    }

    boolean isOf(Pacer other) {
      return pacer == other;
    }

    long beginNanos() {
      return beginNanos;
    }

    /** Gives back what was taken at all gates: nothing is written. */
    public void giveBack() {
      for (Turn turn = this; turn != null; turn = turn.giveBackLast()) {}
    }

    /** Gives back what was taken at the last gate; returns the turn at those before it. */
    @Nullable Turn giveBackLast() {
      pacer.giveBack(bytes, nanos);
      return before;
    }
  }
}
