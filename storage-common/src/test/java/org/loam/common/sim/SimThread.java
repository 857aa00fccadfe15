package org.loam.common.sim;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A thread of a simulation, as the {@link Baton} sees it. Guarded by the baton. */
final class SimThread {
  /** Why the thread does not run. */
  enum State {
    /** It could. */
    RUNNABLE,
    /** Wants the monitor. */
    BLOCKED,
    /** Wants the monitor, until its time. */
    TRYING,
    /** Waits for a signal of the monitor, or for its time. */
    WAITING,
    /** Waits for its time. */
    PAUSED,
    /** Waits for other threads to end. */
    JOINING,
    /** Waits until no other thread can run without time passing. */
    IDLE,
    ENDED
  }

  private final int id;
  private final String name;
  final boolean client;
  @Nullable Thread thread;

  State state = State.RUNNABLE;
  @Nullable SimMonitor monitor;
  List<SimThread> joined = List.of();

  final HeldMonitors held = new HeldMonitors();

  /**
   * When a TRYING, WAITING or PAUSED thread goes on by itself; {@code Long.MAX_VALUE} for never.
   */
  long wakeAtNanos = Long.MAX_VALUE;

  /** Since when the thread has not run. */
  long sinceNanos;

  /** How long it has waited in all. */
  long waitedNanos;

  /** Turns of a spin loop since it did anything else. */
  int spins;

  /** The higher runs first, where {@link PriorityChoice} decides; 0 if not drawn yet. */
  long priority;

  /** How many parts of code without switching points at accesses it is inside. */
  int holds;

  /** How often it was told of the crash; more than once means that it went on. */
  int crashesThrown;

  SimThread(int id, String name, boolean client) {
    this.id = id;
    this.name = name;
    this.client = client;
  }

  int id() {
    return id;
  }

  String name() {
    return name;
  }

  StackTraceElement[] stackTrace() {
    return thread == null ? new StackTraceElement[0] : thread.getStackTrace();
  }

  boolean isRunnable(long nowNanos) {
    return switch (state) {
      case RUNNABLE -> true;
      case BLOCKED -> monitorIsFree();
      case TRYING -> wakeAtNanos <= nowNanos || monitorIsFree();
      case WAITING -> wakeAtNanos <= nowNanos && monitorIsFree();
      case PAUSED -> wakeAtNanos <= nowNanos;
      case JOINING -> allJoinedEnded();
      case IDLE, ENDED -> false;
    };
  }

  private boolean monitorIsFree() {
    return monitor == null || monitor.owner() == null;
  }

  private boolean allJoinedEnded() {
    for (SimThread other : joined) {
      if (other.state != State.ENDED) {
        return false;
      }
    }
    return true;
  }

  /** Name, what it waits for, and which thread holds that. */
  String describe(long nowNanos) {
    String waitsFor =
        switch (state) {
          case RUNNABLE -> "could run";
          case BLOCKED, TRYING -> "wants monitor " + monitor;
          case WAITING -> "awaits a signal of monitor " + monitor;
          case PAUSED -> "pauses";
          case JOINING -> "waits for the end of " + joined;
          case IDLE -> "waits until all are idle";
          case ENDED -> "has ended";
        };
    String until = wakeAtNanos == Long.MAX_VALUE ? "" : " until " + wakeAtNanos + " ns";
    return name + " " + waitsFor + until + ", since " + (nowNanos - sinceNanos) + " ns";
  }

  @Override
  public String toString() {
    return name;
  }
}
