package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.CorruptionException;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.SimDisk;
import org.loam.common.sim.Simulation;

/** A log that does not live with the data, as on a device of its own. */
class LogDirectoryTest {
  private static final Path DEVICE = Path.of("/device");
  private static final String LOG = "/device/log";
  private static final int ENOUGH = 10_000;

  private static EngineConfig config(String logDirectory) {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.SYNC)
        .writeInitialBytes(256 << 10)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(256 << 10)
        .logDirectory(logDirectory)
        .build();
  }

  /** A disk with a mounted device. */
  private static Simulation simulation(long seed) {
    Simulation sim = Simulation.seeded(seed);
    sim.env().files().createDirectories(DEVICE);
    sim.env().files().forceDirectory(Path.of("/"));
    return sim;
  }

  private static Engine open(Simulation sim, Path directory, String logDirectory) {
    return Engine.open(sim.env(), directory, config(logDirectory));
  }

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  private static void put(Engine engine, int i) {
    engine.tree("t").put(key(i), new byte[500]);
  }

  @ParameterizedTest
  @EnumSource(CrashKind.class)
  void whatWasAcknowledgedSurvivesACrash(CrashKind kind) {
    for (long seed = 0; seed < 4; seed++) {
      try (Simulation sim = simulation(seed)) {
        int[] acknowledged = {-1};
        sim.crashAtCall(150 + 70 * seed, kind);
        boolean ended =
            sim.run(
                () -> {
                  Engine engine = open(sim, sim.directory(), LOG);
                  engine.createTree("t");
                  for (int i = 0; i < ENOUGH; i++) {
                    put(engine, i);
                    acknowledged[0] = i;
                  }
                });
        assertThat(ended).as("no crash").isFalse();
        assertThat(acknowledged[0]).isPositive();
        sim.run(
            () -> {
              try (Engine engine = open(sim, sim.directory(), LOG)) {
                for (int i = 0; i <= acknowledged[0]; i++) {
                  assertThat(engine.tree("t").get(key(i))).as("record %s", i).hasSize(500);
                }
                assertThat(engine.recovery().replayedFrames()).isPositive();
                assertThat(sim.env().files().list(Path.of(LOG))).isNotEmpty();
                assertThat(sim.env().files().list(sim.directory())).doesNotContain("log");
              }
            });
      }
    }
  }

  /** The log may move while the database is closed; without it nothing is opened, nothing lost. */
  @Test
  void aLogThatIsNotThereIsMissed() {
    try (Simulation sim = simulation(1)) {
      sim.run(
          () -> {
            try (Engine engine = open(sim, sim.directory(), LOG)) {
              engine.createTree("t");
              put(engine, 1);
            }
            for (String wrong : new String[] {null, "/device/lag"}) {
              assertThatThrownBy(() -> open(sim, sim.directory(), wrong))
                  .isInstanceOf(CorruptionException.class)
                  .hasMessageContainingAll(
                      "found no segments", wrong == null ? "/data/log" : wrong, "log.directory");
            }
            try (Engine engine = open(sim, sim.directory(), LOG)) {
              assertThat(engine.recovery().cleanlyClosed()).isTrue();
              assertThat(engine.tree("t").get(key(1))).hasSize(500);
            }
          });
    }
  }

  @Test
  void theLogOfAnotherDatabaseIsRefused() {
    try (Simulation sim = simulation(2)) {
      sim.run(
          () -> {
            open(sim, sim.directory(), LOG).close();
            Path other = Path.of("/data/other");
            assertThatThrownBy(() -> open(sim, other, LOG))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContainingAll(LOG, "belongs to another database", "log.directory");
            try (Engine engine = open(sim, other, "/device/other")) {
              engine.createTree("t");
              put(engine, 1);
            }
            try (Engine engine = open(sim, sim.directory(), LOG)) {
              assertThat(engine.recovery().cleanlyClosed()).isTrue();
            }
          });
    }
  }

  /** Copied as files are, without the log, and opened with the settings of the original. */
  @Test
  void aLogThatWentOnForACopyIsRefused() {
    try (Simulation sim = simulation(4)) {
      sim.run(
          () -> {
            try (Engine engine = open(sim, sim.directory(), LOG)) {
              engine.createTree("t");
              // Many segments: the one that the original ends in is not used again soon.
              for (int i = 0; i < 600; i++) {
                put(engine, 1);
              }
            }
          });
      refusesTheOriginal(
          sim, "the database in /data was closed", LOG, "for a copy", "log.directory");
    }
  }

  /** Its replay would take the writes of the copy for its own. */
  @Test
  void aLogThatWentOnForACopyOfACrashedDatabaseIsRefused() {
    try (Simulation sim = simulation(5)) {
      sim.run(
          () -> {
            Engine engine = open(sim, sim.directory(), LOG);
            engine.createTree("t");
            // Many segments: those that it needs are not used again soon.
            for (int i = 0; i < 800; i++) {
              put(engine, 1);
            }
            sim.crash(CrashKind.PROCESS_DEATH);
          });
      refusesTheOriginal(sim, "the log says that", "for a copy", "backup");
    }
  }

  /** A copy of the database, which has one record, goes on in its log. */
  private static void refusesTheOriginal(Simulation sim, String... told) {
    Path copy = Path.of("/copy");
    copy(sim.disk(), sim.directory(), copy);
    sim.run(
        () -> {
          Engine engine = open(sim, copy, LOG);
          put(engine, 2);
          sim.crash(CrashKind.PROCESS_DEATH);
        });
    sim.run(
        () -> {
          for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> open(sim, sim.directory(), LOG).close())
                .isInstanceOf(CorruptionException.class)
                .hasMessageContainingAll(told);
          }
          try (Engine engine = open(sim, copy, LOG)) {
            assertThat(engine.tree("t").get(key(1))).hasSize(500);
            assertThat(engine.tree("t").get(key(2))).hasSize(500);
          }
        });
  }

  private static void copy(SimDisk disk, Path from, Path to) {
    for (Path file : disk.files()) {
      if (file.startsWith(from)) {
        Path target = to.resolve(from.relativize(file));
        disk.makeDirectories(target.getParent());
        disk.put(target, disk.read(file));
      }
    }
  }

  @Test
  void aDeviceThatIsNotMountedIsMissedBeforeAnythingIsMade() {
    try (Simulation sim = simulation(3)) {
      sim.run(
          () -> {
            assertThatThrownBy(() -> open(sim, sim.directory(), "/mnt/device/log"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                    "log.directory is /mnt/device/log", "/mnt/device", "mount");
            assertThat(sim.env().files().list(sim.directory())).containsExactly("lock");
            open(sim, sim.directory(), LOG).close();
          });
    }
  }
}
