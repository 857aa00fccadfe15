package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.config.WriteScheme;
import org.loam.common.config.WriteSlowdown;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;

/** A client that writes as fast as it can, while flushes are slow. */
@Tag("once")
class MemoryPaceTest {
  private static final int WRITES = 6_000;

  private static final long SECOND = 1_000_000_000;

  private record Outcome(long nanos, Map<StallCause, StallLog.Totals> stalls) {
    StallLog.Totals of(StallCause cause) {
      return stalls.get(cause);
    }
  }

  private static EngineConfigBuilder littleMemory() {
    return EngineConfig.builder()
        .memoryTotalBytes(128 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .logSegmentBytes(1 << 20)
        .logMaxBytes(64 << 20)
        .writeInitialBytes(2 << 20)
        .writeScheme(WriteScheme.DYNAMIC)
        .ioLimitBytesPerSecond(1 << 20)
        .l0MinMerge(18)
        .l0Stop(24);
  }

  private static EngineConfigBuilder shortLog() {
    return littleMemory()
        .writeInitialBytes(16 << 20)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(2 << 20);
  }

  private static Outcome write(long seed, EngineConfig config) {
    Outcome[] outcome = new Outcome[1];
    try (Simulation sim = Simulation.seeded(seed)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
              Tree tree = engine.createTree("t");
              long begin = sim.env().clock().nanoTime();
              for (int i = 0; i < WRITES; i++) {
                tree.put(Integer.toString(i).getBytes(StandardCharsets.UTF_8), new byte[1000]);
                sim.env().waiter().pause(1);
              }
              outcome[0] =
                  new Outcome(
                      sim.env().clock().nanoTime() - begin, engine.statistics().stalls().totals());
            }
          });
    }
    return outcome[0];
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void shortWaitsTakeThePlaceOfLongOnes(long seed) {
    Outcome stop = write(seed, littleMemory().writeControl(WriteSlowdown.STOP).build());
    Outcome pace = write(seed, littleMemory().writeControl(WriteSlowdown.PACE).build());
    assertThat(stop.of(StallCause.WRITE_MEMORY_FULL).count()).isGreaterThanOrEqualTo(4);
    assertThat(stop.of(StallCause.WRITE_MEMORY_FULL).longestNanos()).isGreaterThan(SECOND);
    assertThat(stop.of(StallCause.WRITE_CONTROL).count()).isZero();
    // The speed of the first flush is not known in time: that wait is the longest.
    StallLog.Totals full = pace.of(StallCause.WRITE_MEMORY_FULL);
    assertThat(full.nanos() - full.longestNanos()).isLessThan(SECOND / 10);
    assertThat(pace.of(StallCause.WRITE_CONTROL).count()).isGreaterThan(100);
    assertThat(pace.of(StallCause.WRITE_CONTROL).longestNanos()).isLessThan(SECOND / 10);
    assertThat(pace.nanos()).isLessThan(stop.nanos() + stop.nanos() / 20);
  }

  /** There is memory all the time. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aLogThatIsNearlyFullSlowsWritersDown(long seed) {
    Outcome stop = write(seed, shortLog().writeControl(WriteSlowdown.STOP).build());
    Outcome pace = write(seed, shortLog().writeControl(WriteSlowdown.PACE).build());
    assertThat(stop.of(StallCause.LOG_FULL).count()).isGreaterThanOrEqualTo(3);
    assertThat(stop.of(StallCause.LOG_FULL).longestNanos()).isGreaterThan(SECOND);
    StallLog.Totals full = pace.of(StallCause.LOG_FULL);
    assertThat(full.nanos() - full.longestNanos()).isLessThan(SECOND / 10);
    assertThat(pace.of(StallCause.WRITE_CONTROL).count()).isGreaterThan(100);
    assertThat(pace.nanos()).isLessThan(stop.nanos() + stop.nanos() / 20);
  }
}
