package org.loam.asterix.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.common.env.TaskRunner.Task;
import org.loam.common.sim.Simulation;
import org.loam.engine.host.HostEngine;

/** Operations with large records that have no room beside each other. */
class LargeWritesTest {
  private static final int MOST = 100 << 20;

  /** An engine as far as memory goes; relief has all of it flushed, if flushes come. */
  private static final class Memory implements HostEngine {
    long used;
    boolean isFlushed = true;

    @Override
    public double writeMemoryFill() {
      return (double) used / MOST;
    }

    @Override
    public long freeWriteMemoryBytes() {
      return MOST - used;
    }

    @Override
    public long usedWriteMemoryBytes() {
      return used;
    }

    @Override
    public int largestRecordBytes() {
      return MOST;
    }

    @Override
    public void relieveWriteMemory() {
      used = isFlushed ? 0 : used;
    }

    @Override
    public void fence(Throwable cause) {
      throw new AssertionError(cause);
    }
  }

  private final Memory memory = new Memory();

  @Test
  void thoseThatFitTogetherBeginAtOnce() throws Exception {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            LargeWrites writes = new LargeWrites(sim.env(), memory);
            memory.used = 20 << 20;
            begin(writes, 40 << 20);
            assertThat(writes.isInside()).isTrue();
            Task other =
                sim.env()
                    .tasks()
                    .start(
                        "other",
                        () -> {
                          assertThat(writes.isInside()).isFalse();
                          begin(writes, 40 << 20);
                          writes.end();
                        });
            other.join();
            assertThat(writes.isAnyWaiting()).isFalse();
            writes.end();
            assertThat(writes.isInside()).isFalse();
            assertThat(memory.used).isEqualTo(20 << 20);
          });
    }
  }

  private static void begin(LargeWrites writes, long bytes) {
    begin(writes, bytes, () -> {});
  }

  private static void begin(LargeWrites writes, long bytes, Runnable waits) {
    try {
      writes.begin(bytes, waits);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** In schedules of many seeds: never more is inside than there is memory for. */
  @Test
  void othersWaitAndKeepSmallerOnesOut() {
    for (long seed = 1; seed <= 50; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        sim.run(() -> writeAll(sim));
      }
    }
  }

  private void writeAll(Simulation sim) {
    LargeWrites writes = new LargeWrites(sim.env(), memory);
    memory.used = 0;
    long[] inside = new long[1];
    int[] waits = new int[1];
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      // The last one needs more than there is: it is refused later, and must come alone.
      int bytes = i == 4 ? 2 * MOST : 40 << 20;
      tasks.add(sim.env().tasks().start("writer", () -> write(sim, writes, bytes, inside, waits)));
    }
    tasks.forEach(Task::join);
    assertThat(waits[0]).isPositive();
    assertThat(writes.isAnyWaiting()).isFalse();
    // Nothing is left promised.
    memory.used = 0;
    begin(writes, MOST);
    writes.end();
  }

  private void write(Simulation sim, LargeWrites writes, int bytes, long[] inside, int[] waits) {
    begin(writes, bytes, () -> waits[0]++);
    int written = Math.min(bytes, MOST / 10 * 9);
    inside[0] += written;
    assertThat(memory.used + inside[0]).isLessThanOrEqualTo(MOST);
    sim.env().waiter().pause(5_000_000);
    inside[0] -= written;
    memory.used += written;
    writes.end();
  }

  @Test
  void oneThatWaitsTooLongBeginsAndIsRefusedThere() throws Exception {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            LargeWrites writes = new LargeWrites(sim.env(), memory);
            memory.used = MOST;
            memory.isFlushed = false;
            long start = sim.env().clock().nanoTime();
            begin(writes, 2 << 20);
            assertThat(sim.env().clock().nanoTime() - start)
                .isGreaterThanOrEqualTo(30_000_000_000L);
            assertThat(writes.isInside()).isTrue();
            writes.end();
          });
    }
  }

  @Test
  void aFailedJobWaitsForNothing() throws Exception {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            LargeWrites writes = new LargeWrites(sim.env(), memory);
            memory.used = MOST;
            memory.isFlushed = false;
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> writes.begin(2 << 20, () -> {}))
                .isInstanceOf(InterruptedException.class);
            assertThat(writes.isAnyWaiting()).isFalse();
            assertThat(writes.isInside()).isFalse();
          });
    }
  }
}
