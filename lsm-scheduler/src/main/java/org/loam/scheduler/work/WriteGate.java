package org.loam.scheduler.work;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.NanoClock;
import org.loam.common.env.StorageEnv;
import org.loam.scheduler.work.Pacer.Turn;

/**
 * Holds writers back: those of one tree while its component constraint is violated, or nearly is,
 * those of a dataset while an index is built or something is dropped. Thread-safe.
 *
 * <p>A writer passes before it takes any lock; passing an open gate is one volatile read. While
 * writers are paced, one whose turn has come takes no lock either.
 */
public final class WriteGate {
  /** A deadline that never comes. */
  public static final long NO_DEADLINE = Long.MAX_VALUE;

  /** How often a writer that waits is asked whether it still may. */
  private static final long ASK_NANOS = 100_000_000;

  /**
   * Why the gate is not open.
   *
   * @param violation what shuts it; null if writers are paced, or limited
   * @param bytesPerSecond at which they are let in
   * @param pacer that has their turns
   * @param isLimit whether the rate is never exceeded
   */
  private record Hold(
      @Nullable StallCause violation, double bytesPerSecond, Pacer pacer, boolean isLimit) {
    /** The turn of a write; now if writers are not paced, but wait for the end of a violation. */
    Turn turn(@Nullable Turn before, long bytes, long now) {
      if (violation != null) {
        return new Turn(before, pacer, 0, now, 0);
      }
      long most = isLimit ? Pacer.ANY_WAIT_NANOS : Pacer.MOST_WAIT_NANOS;
      return pacer.turn(before, bytes, bytesPerSecond, most, now);
    }

    boolean isLimitOf(double rate) {
      return isLimit && bytesPerSecond == rate;
    }
  }

  private final int treeId;
  private final NanoClock clock;
  private final Monitor monitor;
  private final StallLog stalls;
  private final Pacer pacer;

  @GuardedBy("monitor")
  private final Relief relief;

  /** Null while the gate is open. Written under the monitor, except by {@link #set}. */
  private volatile @Nullable Hold hold;

  @GuardedBy("monitor")
  private boolean released;

  /** An open gate. */
  public WriteGate(int treeId, StorageEnv env, StallLog stalls) {
    this.treeId = treeId;
    this.clock = env.clock();
    this.monitor = env.waiter().newMonitor("write gate of tree " + treeId);
    this.stalls = stalls;
    long now = clock.nanoTime();
    this.pacer = new Pacer(now);
    this.relief = new Relief(now);
  }

  /**
   * Opens or shuts the gate, or sets the pace; the tree calls this whenever its shape, its
   * constraint or its control has changed, in the order of the changes.
   *
   * @param violation of the tree's {@link ComponentConstraint}, null for none
   * @param l0 of the tree now
   */
  public void update(@Nullable StallCause violation, WriteControl control, WriteControl.L0 l0) {
    monitor.lock();
    try {
      long now = clock.nanoTime();
      relief.note(l0.bytes(), control.isDue(l0), pacer.bytes(), now);
      double rate = control.bytesPerSecond(l0, relief.bytesPerSecond());
      boolean paced = violation == null && rate < WriteControl.UNLIMITED;
      boolean limited = paced && control.limitsWrites();
      relief.count(paced && !limited);
      if (limited) {
        hold = limit(rate, now);
      } else if (paced) {
        hold = paced(rate / relief.ratio());
      } else {
        hold = violation == null ? null : shut(violation);
      }
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  private Hold shut(StallCause violation) {
    return new Hold(violation, 0, pacer, false);
  }

  private Hold paced(double bytesPerSecond) {
    return new Hold(null, bytesPerSecond, pacer, false);
  }

  /** Another limit has turns of its own, so that no write waits for what an old one would take. */
  private Hold limit(double bytesPerSecond, long now) {
    Hold before = hold;
    return before != null && before.isLimitOf(bytesPerSecond)
        ? before
        : new Hold(null, bytesPerSecond, new Pacer(now), true);
  }

  /**
   * Lets writers in at a rate, whatever the shape of a tree: for a gate that is no tree's.
   *
   * @param bytesPerSecond {@link WriteControl#UNLIMITED} to open the gate
   */
  public void pace(double bytesPerSecond) {
    boolean opens = bytesPerSecond == WriteControl.UNLIMITED;
    monitor.lock();
    try {
      hold = opens ? null : paced(bytesPerSecond);
      if (opens) {
        monitor.signalAll();
      }
    } finally {
      monitor.unlock();
    }
  }

  /**
   * Shuts the gate for a cause, or opens it if that is null, at once: whatever this throws, such as
   * for lack of heap, writers at a gate that was opened go on when they are asked again. For a gate
   * that is no tree's.
   */
  public void set(@Nullable StallCause cause) {
    Hold now = hold;
    if (now == null ? cause == null : now.violation != null && now.violation == cause) {
      return;
    }
    hold = cause == null ? null : shut(cause);
    monitor.lock();
    try {
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  /** Whether writers go on at once, without a turn. */
  public boolean isOpen() {
    return hold == null;
  }

  /**
   * What shuts the gate, such as the constraint that the tree violates; null if it is open, or if
   * writers are paced.
   */
  public @Nullable StallCause violation() {
    Hold now = hold;
    return now == null ? null : now.violation;
  }

  /**
   * Bytes per second at which writes are let in, {@link WriteControl#UNLIMITED} if they are not
   * paced.
   */
  public double paceBytesPerSecond() {
    Hold now = hold;
    return now == null || now.violation != null ? WriteControl.UNLIMITED : now.bytesPerSecond;
  }

  /**
   * Lets all writers through from now on: the engine is closing or fenced and refuses them itself.
   */
  public void release() {
    monitor.lock();
    try {
      released = true;
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  /** Like {@link #pass(Turn, long, long, Runnable)}, of a write that has no other gate. */
  public boolean pass(long bytes, long deadlineNanos, Runnable mayWait) {
    return pass(Turn.NONE, bytes, deadlineNanos, mayWait) != null;
  }

  /**
   * Waits until a write may go on. However long that takes, it is one stall.
   *
   * @param before what the write has taken at other gates
   * @param bytes size of the write; 0 if it is not known yet, see {@link #count}
   * @param deadlineNanos when to give up, on the engine's clock, or {@link #NO_DEADLINE}
   * @param mayWait asked before the wait and now and then during it, under the gate's lock: what it
   *     throws ends the wait
   * @return what it has taken with this gate; null if the deadline passed. Then, and if {@code
   *     mayWait} throws, all is given back
   */
  public @Nullable Turn pass(Turn before, long bytes, long deadlineNanos, Runnable mayWait) {
    Hold now = hold;
    return now == null ? before : passSlowly(now, before, bytes, deadlineNanos, mayWait);
  }

  /**
   * Counts a write that passed before its size was known: later writes wait for it.
   *
   * @param before what the write has taken at other gates
   * @param bytes of the write, which it passed without
   * @return what it has taken with this gate
   */
  public Turn count(Turn before, long bytes) {
    Hold now = hold;
    return now == null ? before : now.turn(before, bytes, clock.nanoTime());
  }

  private @Nullable Turn passSlowly(
      Hold seen, Turn before, long bytes, long deadlineNanos, Runnable mayWait) {
    long start = clock.nanoTime();
    Turn turn = seen.turn(before, bytes, start);
    if (seen.violation == null && turn.beginNanos() - start < Pacer.LEAST_WAIT_NANOS) {
      return turn;
    }
    monitor.lock();
    try {
      turn = renewed(turn, bytes, start);
      return leftNanos(turn, start) <= 0 ? turn : await(start, turn, bytes, deadlineNanos, mayWait);
    } finally {
      monitor.unlock();
    }
  }

  /** The turn of a write by what paces writers now: a limit may have come or gone meanwhile. */
  @GuardedBy("monitor")
  private Turn renewed(Turn turn, long bytes, long now) {
    Hold holding = hold;
    return holding == null || holding.violation != null || turn.isOf(holding.pacer)
        ? turn
        : holding.turn(turn.giveBackLast(), bytes, now);
  }

  /** How long a writer has to wait as things are now, {@code Long.MAX_VALUE} for until relief. */
  @GuardedBy("monitor")
  private long leftNanos(Turn turn, long now) {
    Hold holding = hold;
    if (released || holding == null) {
      return 0;
    }
    return holding.violation != null ? Long.MAX_VALUE : turn.beginNanos() - now;
  }

  @GuardedBy("monitor")
  private @Nullable Turn await(
      long start, Turn first, long bytes, long deadlineNanos, Runnable mayWait) {
    StallLog.@Nullable Stall stall = null;
    Turn turn = first;
    boolean passes = false;
    long now = start;
    try {
      mayWait.run();
      for (long left = leftNanos(turn, now); left > 0; left = leftNanos(turn, now)) {
        StallCause cause = violation();
        if (stall == null && cause != null) {
          stall = stalls.begin(cause, treeId, start);
        }
        long inTime = deadlineNanos == NO_DEADLINE ? Long.MAX_VALUE : deadlineNanos - now;
        if (inTime <= 0) {
          return null;
        }
        monitor.await(Math.min(ASK_NANOS, Math.min(left, inTime)));
        now = clock.nanoTime();
        turn = renewed(turn, bytes, now);
        mayWait.run();
      }
      passes = true;
      return turn;
    } finally {
      if (!passes) {
        turn.giveBack();
      }
      if (stall != null) {
        stall.end(now);
      } else if (now > start) {
        stalls.addBrief(StallCause.WRITE_CONTROL, now - start);
      }
    }
  }
}
