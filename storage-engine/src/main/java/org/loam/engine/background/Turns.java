package org.loam.engine.background;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;

/** Lets the elements of a list take turns, so that none waits for all the others. Thread-safe. */
final class Turns {
  /** Held during an attempt, or two threads would count one turn after the other's. */
  private final Monitor lock;

  /** Where the next look begins. */
  @GuardedBy("lock")
  private int next;

  Turns(Waiter waiter, String name) {
    this.lock = waiter.newMonitor(name);
  }

  /**
   * Attempts something with the elements, beginning behind the one that had the last turn, until
   * one attempt gives a result.
   *
   * @param list may be another one each time
   * @return null if none did
   */
  <T, R> @Nullable R take(List<T> list, Function<T, @Nullable R> attempt) {
    lock.lock();
    try {
      for (int i = 0; i < list.size(); i++) {
        int at = (next + i) % list.size();
        R result = attempt.apply(list.get(at));
        if (result != null) {
          next = at + 1;
          return result;
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }
}
