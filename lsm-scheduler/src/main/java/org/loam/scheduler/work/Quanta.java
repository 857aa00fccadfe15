package org.loam.scheduler.work;

import java.util.concurrent.atomic.AtomicLong;
import org.loam.common.env.NanoClock;

/**
 * Advances operations by quanta, paid for in advance, so that a step never waits for the limiter.
 * Counts the processor time that steps take. Thread-safe.
 */
final class Quanta {
  private final RateLimiter limiter;
  private final long maxBytes;
  private final NanoClock clock;
  private final AtomicLong processorNanos = new AtomicLong();

  Quanta(RateLimiter limiter, long maxBytes, NanoClock clock) {
    this.limiter = limiter;
    this.maxBytes = maxBytes;
    this.clock = clock;
  }

  /** Processor time of all steps so far. */
  long processorNanos() {
    return processorNanos.get();
  }

  /** One quantum, and the force that it may ask for. */
  StepResult advance(BackgroundOperation operation, RateLimiter.Claim claim) {
    long grantedBytes = limiter.quantumBytes(maxBytes);
    claim.acquire(grantedBytes);
    long before = operation.transferredBytes();
    long began = clock.threadNanos();
    StepResult result = operation.step(grantedBytes);
    claim.giveBack(grantedBytes - (operation.transferredBytes() - before));
    if (result == StepResult.NEEDS_FORCE) {
      operation.force();
    }
    processorNanos.getAndAdd(clock.threadNanos() - began);
    return result;
  }

  RateLimiter.Claim newClaim(IoClass ioClass) {
    return limiter.newClaim(ioClass);
  }
}
