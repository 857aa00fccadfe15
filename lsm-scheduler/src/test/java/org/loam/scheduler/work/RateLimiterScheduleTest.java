package org.loam.scheduler.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;

/** Schedules of operations that use the rate while a limit is set. */
@Explored
class RateLimiterScheduleTest {
  private static final int SCHEDULES = 500;
  private static final int BYTES = 1000;
  private static final int QUANTA = 3;

  /** What was taken while there was no limit is not given back to one that came meanwhile. */
  @Test
  void onlyWhatWasCountedIsGivenBack() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          RateLimiter limiter = new RateLimiter(sim.env(), 0);
          Runnable operation =
              () -> {
                RateLimiter.Claim claim = limiter.newClaim(IoClass.MERGE);
                for (int i = 0; i < QUANTA; i++) {
                  claim.acquire(BYTES);
                  claim.giveBack(BYTES);
                }
              };
          sim.run(operation, operation, () -> limiter.setBytesPerSecond(1_000_000));
          assertThat(limiter.use(IoClass.MERGE).grantedBytes()).isZero();
        });
  }
}
