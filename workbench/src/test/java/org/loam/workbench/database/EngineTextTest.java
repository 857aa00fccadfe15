package org.loam.workbench.database;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.loam.common.config.EngineConfig;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.EngineStatistics;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;
import org.loam.workbench.console.Json;

class EngineTextTest {
  @Test
  void aWaitThatGoesOnCountsOnce() {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64 << 20).logSegmentBytes(4 << 20).build();
    try (Simulation sim = Simulation.seeded(5)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
              var totals = new StallLog.Totals(3, 1, 4_000_000_000L, 2_000_000_000L);
              assertThat(EngineText.of(with(engine.statistics(), totals)))
                  .contains("stalls   L0_STOP 3 times, 4.0 s, longest 2.0 s");
            }
          });
    }
  }

  @Test
  void whatKeepsAnEngineFromItsWorkIsALineEach() {
    assertThat(EngineText.faults(Json.read("{}", ObjectNode.class))).isEmpty();
    String sound =
        "{\"fence\":null,\"logFault\":null,\"flushFault\":null,\"mergeFault\":null,\"disks\":"
            + "[{\"directory\":\"/d\",\"freeBytes\":7,\"isFull\":false}]}";
    assertThat(EngineText.faults(Json.read(sound, ObjectNode.class))).isEmpty();
    String full =
        sound.replace("false", "true").replace("\"mergeFault\":null", "\"mergeFault\":\"no room\"");
    assertThat(EngineText.faults(Json.read(full, ObjectNode.class)).lines())
        .containsExactly(
            "fault    merge: no room",
            "fault    disk: /d is full, writes are refused: 7 bytes free");
    String noSegment = sound.replace("\"logFault\":null", "\"logFault\":\"no segment\"");
    assertThat(EngineText.faults(Json.read(noSegment, ObjectNode.class)).lines())
        .containsExactly("fault    log: no segment");
    String gone = sound.replace("false", "false,\"fault\":\"/d is gone\"");
    assertThat(EngineText.faults(Json.read(gone, ObjectNode.class)).lines())
        .containsExactly("fault    disk: /d is gone");
  }

  private static EngineStatistics with(EngineStatistics other, StallLog.Totals totals) {
    return new EngineStatistics(
        other.memory(),
        other.cache(),
        other.log(),
        other.work(),
        new StallLog.Snapshot(Map.of(StallCause.L0_STOP, totals), List.of()),
        other.trees(),
        other.datasets(),
        other.times());
  }
}
