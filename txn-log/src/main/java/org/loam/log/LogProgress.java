package org.loam.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** How far the log reaches; both positions are exclusive ends and never go back. */
final class LogProgress {
  private static final VarHandle END_LSN;

  static {
    try {
      END_LSN = MethodHandles.lookup().findVarHandle(LogProgress.class, "endLsn", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile long endLsn;
  private volatile long durableLsn;

  LogProgress(long startLsn) {
    endLsn = startLsn;
    durableLsn = startLsn;
  }

  long endLsn() {
    return endLsn;
  }

  /** By the appending thread: the frames before it are written. */
  void ended(long lsn) {
    // A thread that reads the new end also sees the frame; no thread has to see the end at once.
    END_LSN.setRelease(this, lsn);
  }

  long durableLsn() {
    return durableLsn;
  }

  /** By the committing thread: everything before it was forced. */
  void forced(long lsn) {
    durableLsn = lsn;
  }
}
