package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.StorageIoException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.SmallEngine;

/** Flushes whose edit of the manifest could not be made at first. */
@Tag("once")
@ExtendWith(QuietLog.class)
class FailedFlushTest {
  /** What the edit of a flush takes of the manifest, or less. */
  private static final int EDIT_BYTES = 56;

  private static final EngineConfig CONFIG = SmallEngine.calm().logMaxBytes(256 << 10).build();

  /** What the drop of the tree leaves in memory, needs a flush. */
  @Test
  void theFaultOfAFlushGoesWithItsTreeIfNoFlushIsToCome() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG)) {
              Tree kept = engine.createTree("kept");
              fail(sim, engine, "t");
              kept.put("a".getBytes(UTF_8), new byte[100]);
              engine.dropTree("t");
              assertThat(engine.health().flushFault()).isNotNull();
              kept.flush();
              assertThat(engine.health().flushFault()).isNull();
              fail(sim, engine, "u");
              engine.dropTree("u");
              assertThat(engine.health().flushFault()).isNull();
            }
          });
    }
  }

  private static void fail(Simulation sim, Engine engine, String name) {
    Tree tree = engine.createTree(name);
    tree.put("a".getBytes(UTF_8), new byte[100]);
    FullManifest.fill(engine, EDIT_BYTES);
    sim.faults().add(FullManifest.fault(sim));
    assertThatThrownBy(tree::flush).isInstanceOf(StorageIoException.class);
    assertThat(engine.health().flushFault()).isNotNull();
  }

  @Test
  void aFlushCountsWhenItIsDone() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG)) {
              Tree tree = engine.createTree("t");
              tree.put("a".getBytes(UTF_8), new byte[100]);
              FullManifest.fill(engine, EDIT_BYTES);
              sim.faults().add(FullManifest.fault(sim));
              assertThatThrownBy(tree::flush).isInstanceOf(StorageIoException.class);
              assertThat(engine.statistics().work().flushes()).isZero();
              assertThat(engine.statistics().work().flushedBytes()).isZero();
              tree.flush();
              assertThat(engine.statistics().work().flushes()).isEqualTo(1);
            }
          });
    }
  }
}
