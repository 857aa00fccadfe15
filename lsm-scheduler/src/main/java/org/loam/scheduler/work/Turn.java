package org.loam.scheduler.work;

import org.jspecify.annotations.Nullable;

/**
 * What a write takes of the time of later ones, at each gate that it has passed. A write that is
 * not written after all gives it back.
 */
public final class Turn {
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
