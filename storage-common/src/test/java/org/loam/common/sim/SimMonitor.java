package org.loam.common.sim;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;

/** A monitor among simulated threads. Awaiting threads sometimes wake for nothing, as allowed. */
final class SimMonitor implements Monitor {
  private static final int ONE_WAIT_IN_SO_MANY_WAKES_FOR_NOTHING = 64;

  private final Baton baton;
  private final String name;
  private final int kind;
  private @Nullable SimThread owner;
  private int depth;

  SimMonitor(Baton baton, String name) {
    this.baton = baton;
    this.name = name;
    this.kind = baton.lockOrder().kind(name);
  }

  /** The number that {@link LockOrder} gave to its kind. */
  int kind() {
    return kind;
  }

  String name() {
    return name;
  }

  @Nullable SimThread owner() {
    return owner;
  }

  @Override
  public void lock() {
    acquire(baton.step("lock", name, 0, 0));
  }

  /** Locks for a thread that has just passed a switching point. */
  void acquire(SimThread me) {
    if (owner == me) {
      depth++;
      return;
    }
    if (owner != null) {
      me.monitor = this;
      baton.block(me, SimThread.State.BLOCKED);
    }
    owner = me;
    depth = 1;
    if (!me.held.isEmpty()) {
      baton.stopIf(baton.lockOrder().taken(this, me.held));
    }
    me.held.add(this);
  }

  /** Not judged by {@link LockOrder}, since it never waits; what is taken inside is. */
  @Override
  public boolean tryLock() {
    SimThread me = baton.step("tryLock", name, 0, 0);
    if (owner != null && owner != me) {
      return false;
    }
    if (owner == null) {
      me.held.add(this);
    }
    owner = me;
    depth++;
    return true;
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) {
    long nanos = unit.toNanos(time);
    SimThread me = baton.step("tryLock", name, nanos, 0);
    if (owner != null && owner != me) {
      me.monitor = this;
      me.wakeAtNanos = baton.deadline(nanos);
      baton.block(me, SimThread.State.TRYING);
      if (owner != null) {
        return false;
      }
    }
    acquire(me);
    return true;
  }

  /** Not a switching point, so that threads can be unwound through it after a crash. */
  @Override
  public void unlock() {
    SimThread me = baton.current();
    if (owner != me) {
      if (baton.isStopped()) {
        return;
      }
      throw notHeld(me);
    }
    if (--depth == 0) {
      owner = null;
      me.held.remove(this);
    }
  }

  @Override
  public boolean isHeldByCurrentThread() {
    return owner == baton.current();
  }

  @Override
  public void await() {
    await(Long.MAX_VALUE);
  }

  @Override
  public long await(long nanos) {
    SimThread me = baton.step("await", name, nanos, 0);
    if (owner != me) {
      throw notHeld(me);
    }
    baton.stopIf(baton.lockOrder().awaited(this, me.held));
    int savedDepth = depth;
    long end = baton.deadline(nanos);
    boolean forNothing = baton.random().oneIn(ONE_WAIT_IN_SO_MANY_WAKES_FOR_NOTHING);
    owner = null;
    depth = 0;
    me.monitor = this;
    me.wakeAtNanos = end;
    baton.block(me, forNothing ? SimThread.State.BLOCKED : SimThread.State.WAITING);
    owner = me;
    depth = savedDepth;
    return end - baton.nowNanos();
  }

  @Override
  public void signalAll() {
    SimThread me = baton.current();
    if (owner != me && !baton.isStopped()) {
      throw notHeld(me);
    }
    for (SimThread other : baton.threads()) {
      if (other.state == SimThread.State.WAITING && other.monitor == this) {
        other.state = SimThread.State.BLOCKED;
      }
    }
  }

  private IllegalMonitorStateException notHeld(SimThread me) {
    return new IllegalMonitorStateException(me + " does not hold monitor " + this);
  }

  @Override
  public String toString() {
    return name + (owner == null ? "" : " (held by " + owner + ")");
  }
}
