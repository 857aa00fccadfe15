package org.loam.engine;

import java.time.Duration;
import org.loam.common.error.Arguments;
import org.loam.engine.commit.WriteTerms;

/**
 * How a write is to be done. Immutable.
 *
 * @param forced whether the acknowledgement means that the write survives power loss, also in a
 *     database whose durability is PROCESS; never weakens SYNC
 * @param timeout how long the write may wait to be admitted; once in the log it is not given up
 */
public record WriteOptions(boolean forced, Duration timeout) {
  /** As durable as the database, waits as long as it takes. */
  public static final WriteOptions DEFAULT = new WriteOptions(false, WriteTerms.FOREVER);

  public WriteOptions {
    if (Arguments.require(timeout, "timeout").isNegative()) {
      throw new IllegalArgumentException("timeout is " + timeout + ", must not be negative");
    }
  }

  /** These options, but the write survives power loss when it is acknowledged. */
  public WriteOptions sync() {
    return new WriteOptions(true, timeout);
  }

  /**
   * These options, but the write fails with {@link org.loam.common.error.DeadlineException} when it
   * cannot be admitted in time.
   */
  public WriteOptions within(Duration limit) {
    return new WriteOptions(forced, limit);
  }

  /** These options for the commit. */
  WriteTerms terms() {
    if (timeout.equals(WriteTerms.FOREVER)) {
      return forced ? WriteTerms.FORCED : WriteTerms.DEFAULT;
    }
    return new WriteTerms(forced, timeout);
  }
}
