package org.loam.engine.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.work.FlushProgress;
import org.loam.scheduler.work.StallLog;
import org.loam.scheduler.work.WriteControl;
import org.loam.scheduler.work.WriteGate;

/** Schedules of flushes that end beside each other, of a setting that changes, of a writer. */
@Tag("once")
@Explored
class MemoryPaceScheduleTest {
  private static final int SCHEDULES = 500;
  private static final int MILLISECOND = 1_000_000;
  private static final long OWN_BYTES = 1 << 20;
  private static final long FREE_BYTES = 1000;

  /** Two flushes that go on at a known speed, and the gate that they pace. */
  private static final class World {
    private final WriteGate gate;
    private final MemoryPace pace;
    private final AtomicInteger flushes = new AtomicInteger(2);
    private volatile boolean late;

    World(Simulation sim) {
      gate = new WriteGate(StallLog.NO_TREE, sim.env(), new StallLog(1));
      pace = new MemoryPace(sim.env(), gate, () -> OWN_BYTES, () -> FREE_BYTES);
      pace.change(true);
      sim.run(
          () -> {
            advance(0);
            sim.env().waiter().pause(100 * MILLISECOND);
            advance(10_000);
          });
      assertThat(gate.paceBytesPerSecond()).isLessThan(WriteControl.UNLIMITED);
      assertThat(late).isTrue();
    }

    void advance(long consumedBytes) {
      pace.flushAdvanced(
          () -> new FlushProgress(flushes.get(), 100_000, consumedBytes), told -> late = told);
    }

    void end() {
      flushes.decrementAndGet();
      advance(10_000);
    }
  }

  /** Whatever another thread has seen before. */
  @Test
  void theGateIsOpenAfterTheLastFlush() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = new World(sim);
          sim.run(world::end, world::end);
          assertThat(world.gate.paceBytesPerSecond()).isEqualTo(WriteControl.UNLIMITED);
        });
  }

  @Test
  void noFlushIsLateAfterTheLastOne() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = new World(sim);
          sim.run(world::end, world::end);
          assertThat(world.late).isFalse();
        });
  }

  @Test
  void noFlushPacesAfterTheSettingHasChanged() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = new World(sim);
          sim.run(() -> world.advance(20_000), () -> world.pace.change(false));
          assertThat(world.gate.paceBytesPerSecond()).isEqualTo(WriteControl.UNLIMITED);
        });
  }

  /** Its second turn is nearly 100 ms away: it goes on because the flushes end. */
  @Test
  void aWriterGoesOnWhenTheGateOpens() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = new World(sim);
          Runnable writer =
              () -> {
                for (int i = 0; i < 2; i++) {
                  assertThat(world.gate.pass(1 << 20, WriteGate.NO_DEADLINE, () -> {})).isTrue();
                }
              };
          long begin = sim.env().clock().nanoTime();
          assertThat(sim.run(writer, world::end, world::end)).isTrue();
          assertThat(sim.env().clock().nanoTime() - begin).isLessThan(50L * MILLISECOND);
        });
  }
}
