package org.loam.it.fault;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.quiet.QuietLog;

/**
 * A workload is played once to count its I/O calls, and then once for each call and each {@link
 * Strike}; of the strikes that go on after the call, for one call in six. What was acknowledged
 * stays, no answer is wrong, the exceptions are the documented ones, nothing hangs, no memory
 * leaks, and the database opens again.
 *
 * <p>{@code -Dloam.fault.oneIn=1} plays all calls of all strikes, as a soak does; {@code
 * -Dloam.fault.seeds=N} plays more schedules of the same workload; {@code
 * -Dloam.fault.run=SYNC,ERROR_ONCE,2,17} plays one run: durability, strike, life, call.
 */
@Tag("once")
@ExtendWith(QuietLog.class)
class EveryCallFailsTest {
  private static final long FIRST_SEED = 11;

  /** Of a seed; more than 3,400 in a build, with both durabilities. */
  private static final int FEWEST_RUNS = 1_700;

  @Test
  void everyCallOfASyncDatabase() {
    everyCall(Durability.SYNC);
  }

  @Test
  void everyCallOfAProcessDatabase() {
    everyCall(Durability.PROCESS);
  }

  private static void everyCall(Durability durability) {
    String one = System.getProperty("loam.fault.run");
    long seeds = Long.getLong("loam.fault.seeds", 1);
    long runs = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
      FaultCampaign campaign = new FaultCampaign(durability, seed);
      if (one == null) {
        runs += campaign.playAll();
      } else if (one.startsWith(durability + ",")) {
        campaign.replay(one);
      }
    }
    if (one == null) {
      assertThat(runs).isGreaterThan(FEWEST_RUNS * seeds);
    }
  }
}
