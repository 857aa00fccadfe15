package org.loam.workbench.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.loam.workbench.peer.Measured;

/** When an engine counts as idle. */
class RestTest {
  private static final long QUIET_MILLIS = 200;

  /** What an engine writes each time it is asked, and how long it thinks about that. */
  private record Engine(AtomicLong written, long bytesEachTime, long thoughtNanos)
      implements Measured {
    @Override
    public void flush() {
      // Nothing to do.
    }

    @Override
    public long bytesWritten() {
      long end = System.nanoTime() + thoughtNanos;
      while (System.nanoTime() - end < 0) {
        Thread.onSpinWait();
      }
      return written.addAndGet(bytesEachTime);
    }
  }

  private static Engine engine(long bytesEachTime, long thoughtNanos) {
    return new Engine(new AtomicLong(), bytesEachTime, thoughtNanos);
  }

  /** An engine of hundreds of trees takes 10 ms to say what it wrote, a twentieth of the time. */
  @Test
  void askingIsNoWork() {
    assertThat(Rest.await(engine(0, 10_000_000), QUIET_MILLIS, Duration.ofSeconds(20))).isTrue();
  }

  @Test
  void anEngineThatWritesDoesNotRest() {
    assertThat(Rest.await(engine(1, 0), QUIET_MILLIS, Duration.ofSeconds(1))).isFalse();
    assertThat(Rest.await(engine(1, 0), 0, Duration.ofSeconds(1))).isTrue();
  }
}
