package org.loam.engine.load;

import org.loam.scheduler.work.RateLimiter;

/** Lets a bulk load write no faster than the rate limiter allows. One thread at a time. */
final class LoadPace {
  private static final long QUANTUM_BYTES = 1 << 20;

  private final RateLimiter limiter;
  private final RateLimiter.Claim claim;
  private long paidBytes;

  LoadPace(RateLimiter limiter, RateLimiter.Claim claim) {
    this.limiter = limiter;
    this.claim = claim;
  }

  /** Waits, outside of any operation, if a quantum of what was written is not paid for. */
  void pay(long writtenBytes) {
    long owedBytes = writtenBytes - paidBytes;
    if (owedBytes >= limiter.quantumBytes(QUANTUM_BYTES)) {
      claim.acquire(owedBytes);
      paidBytes = writtenBytes;
    }
  }
}
