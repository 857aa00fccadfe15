package org.loam.workbench.asterixdb.feed;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.loam.workbench.console.CommandException;

/** Ends a wait for records when none has come for some time. For one thread. */
final class IdleLimit {
  private final String what;
  private final int all;
  private final Duration limit;
  private final LongSupplier clock;
  private int last;
  private long lastNanos;

  /**
   * A wait that begins now.
   *
   * @param what brings the records
   * @param all that are to come
   * @param clock in nanoseconds
   */
  IdleLimit(String what, int all, Duration limit, LongSupplier clock) {
    this.what = what;
    this.all = all;
    this.limit = limit;
    this.clock = clock;
    this.lastNanos = clock.getAsLong();
  }

  /**
   * Notes how many have come.
   *
   * @return how many more than at the last call
   * @throws CommandException if there are no more, and have not been for too long
   */
  int more(int count) {
    long now = clock.getAsLong();
    if (count <= last) {
      if (now - lastNanos > limit.toNanos()) {
        throw CommandException.failed(
            what + " has stopped after " + last + " of " + all + " records");
      }
      return 0;
    }
    int more = count - last;
    last = count;
    lastNanos = now;
    return more;
  }
}
