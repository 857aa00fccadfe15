package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.sim.Simulation;
import org.loam.engine.report.FlushChoice;

/** A key that is written again and again leaves old versions in write memory. */
@Tag("once")
class PopularKeysTest {
  private static final long WRITE_BYTES = 4 << 20;
  private static final byte[] KEY = "popular".getBytes(UTF_8);

  /** The flush of a few entries is not cheap: a merge follows that takes all that lies below. */
  @Test
  void aRangeOfOldVersionsIsFrozenWhenItIsFull() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
              Tree tree = engine.createTree("t");
              while (engine.flushChoices().isEmpty()) {
                tree.put(KEY, new byte[1000]);
              }
              List<FlushChoice> choices = engine.flushChoices();
              assertThat(choices).hasSize(1);
              assertThat(choices.get(0).rule()).isEqualTo(FlushChoice.Rule.FULL);
              assertThat(choices.get(0).chosen().bytes())
                  .isGreaterThanOrEqualTo(WRITE_BYTES * 3 / 16);
            }
          });
    }
  }

  private static EngineConfig config() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeInitialBytes(WRITE_BYTES)
        .logSegmentBytes(1 << 20)
        .logMaxBytes(64 << 20)
        .tunerMode(TunerMode.FROZEN)
        .build();
  }
}
