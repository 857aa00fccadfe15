package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.Consumer;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.SmallEngine;
import org.loam.engine.tuning.TunerTask;

/** Small engines in a simulation whose memory tuner ends a cycle every five seconds. */
final class TunedEngines {
  static final long SECOND = 1_000_000_000;
  static final long MIB = 1 << 20;

  /** About as much data as all memory: a tuner finds no write memory that takes all updates. */
  static final int UPDATED_KEYS = 50_000;

  private TunedEngines() {}

  static EngineConfigBuilder config() {
    return SmallEngine.calm()
        .logSegmentBytes(1 << 20)
        .logMaxBytes(4 << 20)
        .l0MinMerge(2)
        .tunerCycleBytes(1L << 40)
        .tunerCycleSeconds(5);
  }

  /** So little write memory, and so long a log, that updates want more of it. */
  static EngineConfigBuilder configForUpdates() {
    return config().writeInitialBytes(2 << 20).logMaxBytes(256 << 20);
  }

  /** Writes one of the records again, and lets a thousandth of a second pass. */
  static void update(Simulation sim, Tree tree, Random random) {
    tree.put(key(random.nextInt(UPDATED_KEYS)), new byte[1000]);
    sim.env().waiter().pause(SECOND / 1000);
  }

  /** Runs an engine from open to close. */
  static void inEngine(Simulation sim, EngineConfig config, Consumer<Engine> work) {
    assertThat(
            sim.run(
                () -> {
                  try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
                    work.accept(engine);
                  }
                }))
        .isTrue();
    assertThat(sim.liveBytes()).as("off-heap bytes left").isZero();
  }

  static byte[] key(int i) {
    return ("key" + i).getBytes(UTF_8);
  }

  /** The cycles that have ended since the engine was opened. */
  static long cycles(Engine engine) {
    TunerTask.Cycle last = engine.open().tuner().lastCycle();
    return last == null ? 0 : last.number();
  }
}
