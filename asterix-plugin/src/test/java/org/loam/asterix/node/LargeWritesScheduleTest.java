package org.loam.asterix.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.engine.host.HostEngine;

/** Schedules of operations with large records that share memory. */
@Explored
class LargeWritesScheduleTest {
  private static final int SCHEDULES = 500;
  private static final int MOST = 100 << 20;

  /** Two fit beside each other, but not after a third was written. */
  private static final long RECORD = 40 << 20;

  /** What is written is flushed when it is asked for, once its operation has ended. */
  private static final class Memory implements HostEngine {
    final AtomicLong used = new AtomicLong();
    final AtomicLong ended = new AtomicLong();

    @Override
    public double writeMemoryFill() {
      return (double) used.get() / MOST;
    }

    @Override
    public long freeWriteMemoryBytes() {
      return MOST - used.get();
    }

    @Override
    public long usedWriteMemoryBytes() {
      return used.get();
    }

    @Override
    public int largestRecordBytes() {
      return MOST;
    }

    @Override
    public void relieveWriteMemory() {
      used.addAndGet(-ended.getAndSet(0));
    }

    @Override
    public void fence(Throwable cause) {
      throw new AssertionError(cause);
    }
  }

  private static final class World {
    private final Memory memory = new Memory();
    private final AtomicInteger waits = new AtomicInteger();
    private final LargeWrites writes;

    World(Simulation sim) {
      writes = new LargeWrites(sim.env(), memory);
    }

    void write() {
      try {
        writes.begin(RECORD, waits::incrementAndGet);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      assertThat(memory.used.addAndGet(RECORD)).isLessThanOrEqualTo(MOST);
      writes.end();
      memory.ended.addAndGet(RECORD);
    }
  }

  @Test
  void whatIsWrittenIsNeverMoreThanThereIsMemoryFor() {
    AtomicInteger waited = new AtomicInteger();
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = new World(sim);
          sim.run(world::write, world::write, world::write);
          waited.addAndGet(world.waits.get());
          assertThat(world.writes.isAnyWaiting()).isFalse();
          world.memory.relieveWriteMemory();
          assertThat(world.memory.used).hasValue(0);
          // Nothing is left promised: one that needs nearly all begins at once.
          sim.run(
              () -> {
                int before = world.waits.get();
                try {
                  world.writes.begin(MOST, world.waits::incrementAndGet);
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
                world.writes.end();
                assertThat(world.waits).hasValue(before);
              });
        });
    assertThat(waited).as("operations that had to wait").hasPositiveValue();
  }
}
