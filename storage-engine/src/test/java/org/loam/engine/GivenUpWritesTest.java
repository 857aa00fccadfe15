package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

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

/** What an attempt takes of write memory is given back if the write does not come about. */
@Tag("once")
class GivenUpWritesTest {
  private static final int TIMES = 1000;
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

  private static boolean isWritten(
      Committer committer, LsmTree tree, byte[] value, boolean condition) {
    PreparedBatch batch = new PreparedBatch(1);
    batch.put(tree, KEY, value);
    WriteTerms terms = WriteTerms.DEFAULT;
    return committer.write(batch, terms, committer.deadlineNanos(terms), record -> condition);
  }
}
