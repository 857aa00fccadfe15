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
import org.loam.common.error.FencedException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoCall;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.Tree;

/** A disk that has room for the tables of a recovery, but not for what comes after them. */
@ExtendWith(QuietLog.class)
class RecoveryFullDiskTest {
  private static final int ENTRIES = 200;

  /** Of a manifest with little in it. */
  private static final int SMALL_MANIFEST_BYTES = 64 << 10;

  /** The edit has two keys for each table: more than a small manifest. */
  private static final int TREES = 60;

  private static final byte[] LONG_KEY = new byte[800];

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

  private static boolean isOfManifest(IoCall call) {
    return call.path().getFileName().toString().startsWith("manifest");
  }

  /** The edit that ends a recovery needs a file of its own if it has long keys of many trees. */
  @Test
  void anEditThatFindsNoRoomLeavesNoTables() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            Engine engine = open(sim);
            for (int i = 0; i < TREES; i++) {
              engine.createTree("t" + i).put(LONG_KEY, key(i));
            }
            sim.crash(CrashKind.PROCESS_DEATH);
          });
      sim.faults()
          .add(
              Fault.of(FaultEffect.DISK_FULL)
                  .on(IoKind.WRITE)
                  .where(call -> isOfManifest(call) && call.length() > SMALL_MANIFEST_BYTES)
                  .asSticky());
      for (int attempt = 0; attempt < 3; attempt++) {
        sim.run(
            () ->
                assertThatThrownBy(() -> open(sim))
                    .isInstanceOf(DiskFullException.class)
                    .hasMessageContaining("manifest"));
        assertThat(tables(sim)).isEmpty();
      }
      sim.faults().clear();
      sim.run(
          () -> {
            try (Engine engine = open(sim)) {
              for (int i = 0; i < TREES; i++) {
                assertThat(engine.tree("t" + i).get(LONG_KEY)).isEqualTo(key(i));
              }
            }
          });
    }
  }

  /** After a failed force it is not known whether the edit counts, which names the tables. */
  @Test
  void anEditThatMayCountLeavesItsTables() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            open(sim).createTree("t").put(LONG_KEY, key(1));
            sim.crash(CrashKind.PROCESS_DEATH);
          });
      // The first force is that of the fresh file.
      sim.faults()
          .add(
              Fault.of(FaultEffect.IO_ERROR)
                  .on(IoKind.FORCE)
                  .where(RecoveryFullDiskTest::isOfManifest)
                  .nth(2));
      sim.run(() -> assertThatThrownBy(() -> open(sim)).isInstanceOf(FencedException.class));
      assertThat(tables(sim)).hasSize(1);
      sim.run(
          () -> {
            try (Engine engine = open(sim)) {
              assertThat(engine.tree("t").get(LONG_KEY)).isEqualTo(key(1));
            }
          });
    }
  }
}
