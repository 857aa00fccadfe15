package org.loam.scheduler.work;

/**
 * Advances operations by quanta, paid for in advance, so that a step never waits for the limiter.
 */
final class Quanta {
  private final RateLimiter limiter;
  private final long maxBytes;

  Quanta(RateLimiter limiter, long maxBytes) {
    this.limiter = limiter;
    this.maxBytes = maxBytes;
  }

  /** One quantum, and the force that it may ask for. */
  StepResult advance(BackgroundOperation operation, RateLimiter.Claim claim) {
    long grantedBytes = limiter.quantumBytes(maxBytes);
    claim.acquire(grantedBytes);
    long before = operation.transferredBytes();
    StepResult result = operation.step(grantedBytes);
    claim.giveBack(grantedBytes - (operation.transferredBytes() - before));
    if (result == StepResult.NEEDS_FORCE) {
      operation.force();
    }
    return result;
  }

  RateLimiter.Claim newClaim(IoClass ioClass) {
    return limiter.newClaim(ioClass);
  }
}
