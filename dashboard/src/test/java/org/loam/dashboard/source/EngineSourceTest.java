package org.loam.dashboard.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.FencedException;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.Tree;

/** What a page is told of an engine of its own program. */
class EngineSourceTest {
  private static JsonNode read(EngineSource source) {
    try {
      return source.read().statistics();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aFenceIsToldBesideTheStatistics() {
    EngineConfig config =
        EngineConfig.builder()
            .memoryTotalBytes(64 << 20)
            .durability(Durability.SYNC)
            .logSegmentBytes(64 << 10)
            .logMaxBytes(1 << 20)
            .build();
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
              EngineSource source = new EngineSource(engine);
              Tree tree = engine.createTree("t");
              assertThat(read(source).at("/health/fence").isNull()).isTrue();
              sim.faults()
                  .add(
                      Fault.of(FaultEffect.IO_ERROR)
                          .on(IoKind.FORCE)
                          .onPath(path -> path.toString().contains("/log/"))
                          // The segment that is prepared for later is forced as well.
                          .asSticky());
              assertThatThrownBy(() -> tree.put(new byte[1], new byte[1]))
                  .isInstanceOf(FencedException.class);
              JsonNode fenced = read(source);
              assertThat(fenced.at("/health/fence").asText()).contains("/log/", "force");
              assertThat(fenced.at("/memory/totalBytes").asLong()).isEqualTo(64 << 20);
            }
          });
    }
  }
}
