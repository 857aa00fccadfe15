package org.loam.engine.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.TaskRunner;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Simulation;
import org.loam.lsm.memory.MemoryLeveling;

/** The thread that merges write memory. */
@ExtendWith(QuietLog.class)
class MemoryMergingTest {
  /** A write wakes it when it is in the log and shown. */
  @Test
  void aWakeUpDoesNotFailForLackOfAThread() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            StorageEnv env = sim.env();
            List<String> started = new ArrayList<>();
            int[] refused = new int[1];
            TaskRunner tasks =
                (name, body) -> {
                  if (refused[0]++ < 2) {
                    throw new OutOfMemoryError("unable to create native thread");
                  }
                  started.add(name);
                  return env.tasks().start(name, body);
                };
            StorageEnv few =
                new StorageEnv(env.files(), env.clock(), env.waiter(), tasks, env.random());
            MemoryLeveling.Merging leveling = new MemoryLeveling.Sizes(1 << 20, 1 << 20, 10);
            try (MemoryMerging merging = new MemoryMerging(few, List::of, () -> leveling)) {
              merging.wake();
              merging.wake();
              assertThat(started).isEmpty();
              merging.wake();
              assertThat(started).containsExactly("loam-memory-merge");
            }
          });
    }
  }
}
