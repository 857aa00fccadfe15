package org.loam.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.error.FencedException;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;

/** Schedules of threads that fence a log at once, and of a listener that comes meanwhile. */
@Tag("once")
@Explored
class LogFenceScheduleTest {
  private static final int SCHEDULES = 500;
  private static final Throwable ONE = new IllegalStateException("one");
  private static final Throwable OTHER = new IllegalStateException("other");

  /** Keeps what it is told, and what it sees of the fence then. */
  private static final class Listener {
    final LogFence fence;
    final List<Throwable> told = new ArrayList<>();

    Listener(LogFence fence) {
      this.fence = fence;
    }

    void accept(Throwable cause) {
      assertThat(causeOf(fence)).as("refused by when it is told").isSameAs(cause);
      told.add(cause);
    }
  }

  private static @Nullable Throwable causeOf(LogFence fence) {
    try {
      fence.check();
    } catch (FencedException e) {
      return e.getCause();
    }
    return null;
  }

  @Test
  void oneCauseIsKeptAndTold() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          LogFence fence = new LogFence();
          Listener listener = new Listener(fence);
          fence.onRaised(listener::accept);
          sim.run(() -> fence.raise(ONE), () -> fence.raise(OTHER));
          assertThat(listener.told).hasSize(1).isSubsetOf(ONE, OTHER);
          assertThat(causeOf(fence)).isSameAs(listener.told.get(0));
        });
  }

  /** The cause may come before the listener, after it or in between: it is told. */
  @Test
  void aListenerThatComesMeanwhileIsTold() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          LogFence fence = new LogFence();
          Listener listener = new Listener(fence);
          sim.run(() -> fence.raise(ONE), () -> fence.onRaised(listener::accept));
          assertThat(listener.told).isNotEmpty().containsOnly(ONE);
        });
  }
}
