package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.StorageIoException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Simulation;

/** Flushes whose edit of the manifest could not be made at first. */
@Tag("once")
@ExtendWith(QuietLog.class)
class FailedFlushTest {
  /** What the edit of a flush takes of the manifest, or less. */
  private static final int EDIT_BYTES = 56;

  private static final EngineConfig CONFIG =
      EngineConfig.builder()
          .memoryTotalBytes(64 << 20)
          .pageBytes(4096)
          .durability(Durability.PROCESS)
          .writeInitialBytes(4 << 20)
          .logSegmentBytes(64 << 10)
          .logMaxBytes(256 << 10)
          .build();

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
