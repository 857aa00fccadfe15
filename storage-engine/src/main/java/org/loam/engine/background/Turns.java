package org.loam.engine.background;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
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
   * Offers turns, beginning behind the element that had the first one of the last time, to one
   * element after the other. An element that was passed over comes first as soon as it can.
   *
   * @param list may be another one each time
   * @param attempt whether an element takes a turn now
   * @param enough whether no further turn is given
   */
  <T> void take(List<T> list, Predicate<T> attempt, BooleanSupplier enough) {
    lock.lock();
    try {
      int begin = next;
      boolean any = false;
      for (int i = 0; i < list.size() && !enough.getAsBoolean(); i++) {
        int at = (begin + i) % list.size();
        if (attempt.test(list.get(at)) && !any) {
          any = true;
          next = at + 1;
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
