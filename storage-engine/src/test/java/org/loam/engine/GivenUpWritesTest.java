package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Simulation;
import org.loam.engine.commit.Committer;
import org.loam.engine.commit.PreparedBatch;
import org.loam.engine.commit.WriteMemory;
import org.loam.engine.commit.WriteTerms;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.open.SmallEngine;
import org.loam.lsm.LsmTree;
import org.loam.scheduler.work.StallCause;

/**
 * What an attempt takes of write memory is given back if the write does not come about, or is
 * flushed into nothing.
 */
@Tag("once")
class GivenUpWritesTest {
  private static final int TIMES = 1000;

  /** A record in pieces, whose pages stay with the component. */
  private static final int LARGE_BYTES = 10_000;

  /** A writer that waits for so long has nothing flushed. */
  private static final WriteTerms SOON = new WriteTerms(false, Duration.ofSeconds(10));

  private static final byte[] KEY = "key".getBytes(UTF_8);

  /** The record is in memory by then: another writer came first after the value was looked at. */
  @Test
  void aWriteWhoseConditionFailsLeavesNothingInMemory() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (OpenEngine engine = SmallEngine.open(sim, SmallEngine.calm())) {
              LsmTree tree = SmallEngine.createTree(engine, "t");
              Committer committer = engine.writes().committer();
              WriteMemory memory = engine.writes().memory().pages();
              assertThat(isWritten(committer, tree, new byte[9], true)).isTrue();
              long usedBytes = memory.usedBytes();
              for (int i = 0; i < TIMES; i++) {
                assertThat(isWritten(committer, tree, new byte[i], false)).isFalse();
              }
              assertThat(memory.usedBytes()).isEqualTo(usedBytes);
            }
          });
    }
  }

  /**
   * No write is inserted that would look whether a flush is due: the first one that waits does,
   * again and again.
   */
  @Test
  void writesWhoseConditionFailsFindMemoryForAsLongAsTheyAreMade() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (OpenEngine engine = SmallEngine.open(sim, SmallEngine.calm())) {
              LsmTree tree = SmallEngine.createTree(engine, "t");
              Committer committer = engine.writes().committer();
              long ownBytes = engine.writes().memory().pages().ownBytes();
              for (long bytes = 0; bytes < 3 * ownBytes; bytes += LARGE_BYTES) {
                assertThat(isWritten(committer, tree, new byte[LARGE_BYTES], false)).isFalse();
              }
              assertThat(isWritten(committer, tree, new byte[LARGE_BYTES], true)).isTrue();
              assertThat(engine.writes().stalls().snapshot(0).totals())
                  .extractingByKey(StallCause.WRITE_MEMORY_FULL)
                  .satisfies(waits -> assertThat(waits.count()).isGreaterThanOrEqualTo(2));
            }
          });
    }
  }

  private static boolean isWritten(
      Committer committer, LsmTree tree, byte[] value, boolean condition) {
    PreparedBatch batch = new PreparedBatch(1);
    batch.put(tree, KEY, value);
    return committer.write(batch, SOON, committer.deadlineNanos(SOON), record -> condition);
  }
}
