package org.loam.engine.open;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.DiskFullException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.Tree;

/** A disk that has room for the tables of a recovery, but not for what comes after them. */
@ExtendWith(QuietLog.class)
class RecoveryFullDiskTest {
  private static final int ENTRIES = 200;

  private static final EngineConfig CONFIG = SmallEngine.calm().build();

  private static byte[] key(int i) {
    return ("key" + i).getBytes(UTF_8);
  }

  private static Engine open(Simulation sim) {
    return Engine.open(sim.env(), sim.directory(), CONFIG);
  }

  private static List<Path> tables(Simulation sim) {
    return sim.disk().files().stream().filter(p -> p.toString().endsWith(".sst")).toList();
  }

  @Test
  void anOpeningThatFailsLeavesNoLessRoomForTheNext() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            Tree tree = open(sim).createTree("t");
            for (int i = 0; i < ENTRIES; i++) {
              tree.put(key(i), new byte[1000]);
            }
            sim.crash(CrashKind.PROCESS_DEATH);
          });
      // The tables fit, and then the first file of the manifest does not.
      sim.disk().capacityBytes(sim.disk().usedBytes() + ENTRIES * 1200);
      for (int attempt = 0; attempt < 3; attempt++) {
        sim.run(
            () ->
                assertThatThrownBy(() -> open(sim))
                    .isInstanceOf(DiskFullException.class)
                    .hasMessageContaining("manifest"));
        assertThat(tables(sim)).isEmpty();
      }
      sim.disk().capacityBytes(sim.disk().capacityBytes() + (1 << 20));
      sim.run(
          () -> {
            try (Engine engine = open(sim)) {
              for (int i = 0; i < ENTRIES; i++) {
                assertThat(engine.tree("t").get(key(i))).as("key %d", i).hasSize(1000);
              }
            }
          });
    }
  }
}
