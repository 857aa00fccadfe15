package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.loam.engine.TunedEngines.SECOND;
import static org.loam.engine.TunedEngines.config;
import static org.loam.engine.TunedEngines.inEngine;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteScheme;
import org.loam.common.sim.Simulation;

/**
 * Write memory that is divided among active datasets leaves each of them four pages, whatever
 * decides its size. The least write memory of all is 64 pages, which is enough for 16 of them.
 * Write memory that is merged in memory is at least four times as large as what is merged at once.
 */
@Tag("once")
class WriteSharesTest {
  /** Pages of 4 KiB: 256 KiB of write memory, shares of 272 KiB. */
  private static final int DATASETS = 17;

  private static EngineConfigBuilder divided() {
    return config().writeScheme(WriteScheme.STATIC).activeDatasets(DATASETS);
  }

  private static String refusal(String name) {
    return "write.activeDatasets: 17, each must have 4 pages of page.size with write.scheme STATIC,"
        + " so that "
        + name
        + ", 256KiB, must be at least 272KiB; raise it or have fewer active datasets";
  }

  private static void open(Simulation sim, EngineConfig config) {
    sim.run(() -> Engine.open(sim.env(), sim.directory(), config).close());
  }

  @Test
  void aTunerThatMayGoLowerIsRefused() {
    try (Simulation sim = Simulation.seeded(1)) {
      assertThatThrownBy(() -> open(sim, divided().tunerLeastWriteBytes(1).build()))
          .hasMessageContaining(refusal("tuner.leastWriteBytes"));
    }
    try (Simulation sim = Simulation.seeded(1)) {
      inEngine(
          sim,
          divided().tunerLeastWriteBytes(272 << 10).build(),
          engine -> {
            assertThatThrownBy(() -> engine.configure("tuner.leastWriteBytes", "200KiB"))
                .hasMessage(refusal("tuner.leastWriteBytes"));
            engine.configure("write.activeDatasets", "16");
            engine.configure("tuner.leastWriteBytes", "200KiB");
          });
      // A tuner that moves nothing has no least size.
      open(sim, divided().tunerMode(TunerMode.FROZEN).tunerLeastWriteBytes(1).build());
    }
  }

  @Test
  void moreDatasetsThanWriteMemoryHasRoomForNowAreRefused() {
    try (Simulation sim = Simulation.seeded(1)) {
      inEngine(
          sim,
          config().tunerMode(TunerMode.FROZEN).activeDatasets(DATASETS).build(),
          engine -> {
            engine.configure("write.targetBytes", "256KiB");
            sim.env().waiter().pause(SECOND);
            assertThat(engine.statistics().memory().writeTargetBytes()).isEqualTo(256 << 10);
            assertThatThrownBy(() -> engine.configure("write.scheme", "STATIC"))
                .hasMessageContaining(refusal("write.targetBytes"));
            engine.configure("write.targetBytes", "0");
            assertThatThrownBy(() -> engine.configure("write.scheme", "STATIC"))
                .hasMessage(refusal("write memory now"));
            engine.configure("write.targetBytes", "272KiB");
            sim.env().waiter().pause(SECOND);
            engine.configure("write.scheme", "STATIC");
          });
    }
  }

  /** All that is written stays in memory, so that a move to a smaller one waits for flushes. */
  @Test
  void moreDatasetsThanTheTargetOfAMoveHasRoomForAreRefused() {
    try (Simulation sim = Simulation.seeded(1)) {
      inEngine(
          sim,
          config()
              .activeDatasets(DATASETS)
              .tunerCycleSeconds(86_400)
              .ioLimitBytesPerSecond(1 << 20)
              .build(),
          engine -> {
            Tree tree = engine.createTree("t");
            for (int i = 0; i < 2500; i++) {
              tree.put(TunedEngines.key(i), new byte[1000]);
            }
            engine.open().memoryMoves().setTarget(256 << 10, () -> true);
            engine.configure("tuner.leastWriteBytes", "272KiB");
            assertThat(engine.open().memory().arbiter().ownBytes()).isGreaterThan(272 << 10);
            assertThatThrownBy(() -> engine.configure("write.scheme", "STATIC"))
                .hasMessage(refusal("what write memory moves to"));
            engine.configure("tuner.mode", "FROZEN");
            engine.configure("write.scheme", "STATIC");
          });
    }
  }

  /** Write memory of 64 pages has room for 64 KiB at once. */
  @Test
  void lessThanFourTimesWhatIsMergedAtOnceIsRefused() {
    String rule = "write.activeBytes: 68KiB, must be at most a quarter of ";
    EngineConfigBuilder merged =
        config().writeScheme(WriteScheme.LEVELS).levelsActiveBytes(68 << 10);
    try (Simulation sim = Simulation.seeded(1)) {
      assertThatThrownBy(() -> open(sim, merged.tunerLeastWriteBytes(1).build()))
          .hasMessageContaining(rule + "tuner.leastWriteBytes, 256KiB");
    }
    try (Simulation sim = Simulation.seeded(1)) {
      inEngine(
          sim,
          merged.tunerMode(TunerMode.FROZEN).build(),
          engine -> {
            assertThatThrownBy(() -> engine.configure("write.targetBytes", "256KiB"))
                .hasMessageContaining(rule + "write.targetBytes, 256KiB");
            engine.configure("write.scheme", "RANGES");
            engine.configure("write.targetBytes", "256KiB");
            sim.env().waiter().pause(SECOND);
            for (String scheme : List.of("LEVELS", "ACCORDION_INDEX", "ACCORDION_DATA")) {
              assertThatThrownBy(() -> engine.configure("write.scheme", scheme))
                  .hasMessageContaining(rule + "write.targetBytes, 256KiB");
            }
            engine.configure("write.targetBytes", "0");
            assertThatThrownBy(() -> engine.configure("write.scheme", "LEVELS"))
                .hasMessage(rule + "write memory now, 256KiB");
            engine.configure("write.activeBytes", "64KiB");
            engine.configure("write.scheme", "LEVELS");
            assertThatThrownBy(() -> engine.configure("write.activeBytes", "68KiB"))
                .hasMessage(rule + "write memory now, 256KiB");
          });
    }
  }

  /** What an engine was opened with suffices for each later change, too. */
  @Test
  void aSizeThatIsNoWholePagesSuffices() {
    try (Simulation sim = Simulation.seeded(1)) {
      inEngine(
          sim,
          config()
              .writeScheme(WriteScheme.LEVELS)
              .tunerMode(TunerMode.FROZEN)
              .writeInitialBytes(1_000_000)
              .levelsActiveBytes(250_000)
              .build(),
          engine -> {
            assertThat(engine.open().memory().arbiter().ownBytes()).isLessThan(1_000_000);
            engine.configure("write.flushThreshold", "0.8");
          });
    }
  }
}
