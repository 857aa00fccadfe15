package org.loam.engine.commit;

import java.time.Duration;
import org.loam.common.env.NanoClock;

/**
 * What a write asks of its commit.
 *
 * @param forced whether the acknowledgement means that the write survives power loss, whatever the
 *     durability of the database
 * @param timeout how long the write may wait to be admitted
 */
public record WriteTerms(boolean forced, Duration timeout) {
  /** No time limit. */
  public static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

  /** As durable as the database, waits as long as it takes. */
  public static final WriteTerms DEFAULT = new WriteTerms(false, FOREVER);

  /** Survives power loss, waits as long as it takes. */
  public static final WriteTerms FORCED = new WriteTerms(true, FOREVER);

  private static final long NEVER = Long.MAX_VALUE;

  /** When to give up, on a clock; {@code Long.MAX_VALUE} never. */
  long deadlineNanos(NanoClock clock) {
    return timeout.compareTo(FOREVER) >= 0 ? NEVER : clock.nanoTime() + timeout.toNanos();
  }

  /** How long a write may still wait. */
  public static long leftNanos(long deadlineNanos, NanoClock clock) {
    return deadlineNanos == NEVER ? Long.MAX_VALUE : deadlineNanos - clock.nanoTime();
  }
}
