package org.loam.engine.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.TaskRunner;
import org.loam.common.env.TaskRunner.Task;
import org.loam.common.error.ClosedException;
import org.loam.common.mem.Mem;
import org.loam.common.sim.Simulation;

@Tag("once")
class EngineMemoryTest {
  private static final EngineConfig CONFIG =
      EngineConfig.builder().memoryTotalBytes(256 << 20).build();

  private static final MemoryLayout LAYOUT = MemoryLayout.of(CONFIG, false);

  private final long liveBefore = Mem.liveBytes();

  /** A touch of memory that was freed would end the process. */
  @Test
  void touchesEndBeforeTheirMemoryIsFreed() {
    List<Long> liveAtJoins = new ArrayList<>();
    try (Simulation sim = Simulation.seeded(1)) {
      StorageEnv env = sim.env();
      TaskRunner tasks =
          (name, body) -> {
            Task task = env.tasks().start(name, body);
            return new Task() {
              @Override
              public void join() {
                liveAtJoins.add(Mem.liveBytes() - liveBefore);
                task.join();
              }

              @Override
              public boolean isAlive() {
                return task.isAlive();
              }
            };
          };
      StorageEnv watched =
          new StorageEnv(env.files(), env.clock(), env.waiter(), tasks, env.random());
      new EngineMemory(LAYOUT, CONFIG.memory().pageBytes(), watched).close();
    }
    long poolBytes = (long) LAYOUT.poolPages() * CONFIG.memory().pageBytes();
    assertThat(liveAtJoins).hasSize(1).allMatch(live -> live >= poolBytes);
    assertThat(Mem.liveBytes()).isEqualTo(liveBefore);
  }

  /** A writer that waits for memory is no operation, and may borrow when an engine is closed. */
  @Test
  void theCacheGivesUpNoFramesThatAreBeingFreed() {
    try (Simulation sim = Simulation.seeded(1)) {
      EngineMemory memory = new EngineMemory(LAYOUT, CONFIG.memory().pageBytes(), sim.env());
      assertThat(memory.arbiter().borrow(1)).isTrue();
      int slot = memory.memoryEpochs().enter();
      sim.run(
          () -> {
            sim.env().waiter().pause(1000);
            memory.memoryEpochs().exit(slot);
          },
          memory::awaitReaders);
      assertThatThrownBy(() -> memory.arbiter().borrow(1)).isInstanceOf(ClosedException.class);
      memory.close();
      assertThatThrownBy(() -> memory.arbiter().borrow(1)).isInstanceOf(ClosedException.class);
    }
    assertThat(Mem.liveBytes()).isEqualTo(liveBefore);
  }
}
