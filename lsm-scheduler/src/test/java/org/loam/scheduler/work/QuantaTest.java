package org.loam.scheduler.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.loam.common.env.NanoClock;

/** What steps of operations cost. */
class QuantaTest {
  private static final long STEP_NANOS = 7;
  private static final long FORCE_NANOS = 5;

  /** Processor time that passes as the operation says, beside time that does not matter. */
  private static final class ProcessorClock implements NanoClock {
    private long threadNanos = 1000;

    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public long threadNanos() {
      return threadNanos;
    }
  }

  private final ProcessorClock clock = new ProcessorClock();

  private final BackgroundOperation operation =
      new SmallOperation(IoClass.FLUSH) {
        @Override
        public StepResult step(long quantumBytes) {
          clock.threadNanos += STEP_NANOS;
          return StepResult.NEEDS_FORCE;
        }

        @Override
        public void force() {
          clock.threadNanos += FORCE_NANOS;
        }

        @Override
        public void abort() {}
      };

  @Test
  void theProcessorTimeOfStepsAndForcesIsCounted() {
    Quanta quanta = new Quanta(new RateLimiter(new HandClock().env(), 0), 1 << 20, clock);
    RateLimiter.Claim claim = quanta.newClaim(IoClass.FLUSH);
    assertThat(quanta.processorNanos()).isZero();
    quanta.advance(operation, claim);
    clock.threadNanos += 100; // what the thread does beside it
    quanta.advance(operation, claim);
    assertThat(quanta.processorNanos()).isEqualTo(2 * (STEP_NANOS + FORCE_NANOS));
  }
}
