package org.loam.common.sim;

/**
 * What instrumented code calls; see {@link AccessInstrumenter}. In a thread of a simulation each
 * call may hand the baton on; elsewhere the calls do nothing, so that instrumented code outside of
 * a simulation is for one thread.
 */
public final class SwitchPoints {
  private SwitchPoints() {}

  /** Before a volatile or atomic access. */
  public static void access() {
    Baton baton = Baton.ofThisThread();
    if (baton != null) {
      baton.access();
    }
  }

  /** Before another access to off-heap memory. */
  public static void plainAccess() {
    Baton baton = Baton.ofThisThread();
    if (baton != null) {
      baton.plainAccess();
    }
  }

  /** In place of the entry to a {@code synchronized} block. */
  public static void enter(Object lock) {
    Baton baton = Baton.ofThisThread();
    if (baton != null) {
      baton.enter(lock);
    }
  }

  /** In place of the exit from a {@code synchronized} block. */
  public static void exit(Object lock) {
    Baton baton = Baton.ofThisThread();
    if (baton != null) {
      baton.exit(lock);
    }
  }

  /** From here on the thread does not lose the baton at accesses: the JVM holds a lock for it. */
  public static void hold() {
    Baton baton = Baton.ofThisThread();
    if (baton != null) {
      baton.current().holds++;
    }
  }

  /** Ends what {@link #hold} began. */
  public static void release() {
    Baton baton = Baton.ofThisThread();
    if (baton != null) {
      baton.current().holds--;
    }
  }

  /** In place of {@link Thread#getId}, for the calling thread: the same in each run of a seed. */
  public static long threadId(Thread thread) {
    Baton baton = Baton.ofThisThread();
    return baton == null ? thread.getId() : baton.current().id();
  }
}
