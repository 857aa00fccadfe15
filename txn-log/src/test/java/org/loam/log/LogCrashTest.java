package org.loam.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.mem.Mem;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.common.sim.SoakSeeds;

/**
 * The log under simulated crashes and faults. What holds after each of them, whatever crashed: the
 * replay finds a prefix of what was appended, byte for byte, with everything that was awaited, and
 * after the mere death of a process everything that was appended; and no LSN is used twice.
 */
@Tag("once")
class LogCrashTest {
  private static final LogConfig CONFIG = new LogConfig(16 << 10, 128 << 10, 2, 1_000_000);
  private static final int MAX_VALUE_BYTES = 1500;
  private static final int SEEDS = 200;

  private long liveBytes;

  @BeforeEach
  void remember() {
    liveBytes = Mem.liveBytes();
  }

  @AfterEach
  void nothingLeaks() {
    assertThat(Mem.liveBytes()).as(Mem.describeLive()).isEqualTo(liveBytes);
  }

  /** Several lives of a process with two writers, each ended by a crash somewhere. */
  private static long lives(long seed, int lives) {
    SplittableRandom random = new SplittableRandom(seed);
    try (Simulation sim = Simulation.seeded(seed)) {
      LogWorld world = new LogWorld(sim, random, CONFIG);
      int mustSurvive = 0;
      for (int life = 0; life < lives; life++) {
        CrashKind kind = random.nextBoolean() ? CrashKind.POWER_LOSS : CrashKind.PROCESS_DEATH;
        switch (random.nextInt(4)) {
          case 0 -> sim.crashAtCall(1 + random.nextInt(30), kind);
          case 1 -> sim.crashAtStep(1 + random.nextInt(1000), kind);
          default -> sim.crashAtCall(1 + random.nextInt(300), kind);
        }
        if (world.open(mustSurvive)) {
          int waitOneIn = 1 + random.nextInt(20);
          boolean alive =
              sim.run(
                  world.writer(random.nextInt(80), waitOneIn, MAX_VALUE_BYTES),
                  world.writer(random.nextInt(80), waitOneIn, 1 + random.nextInt(4000)));
          if (alive && random.nextBoolean()) {
            sim.run(world::closeHere);
          }
        }
        mustSurvive = world.survivors(kind);
      }
      sim.run(() -> world.openHere(world.durable()));
      sim.run(world::closeHere);
      return sim.traceHash();
    } catch (Throwable e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  @Test
  void anyCrashKeepsAPrefixWithEverythingPromised() {
    for (long seed = 0; seed < SEEDS; seed++) {
      lives(seed, 5);
    }
  }

  @Test
  @Tag("soak")
  void anyCrashForLong() {
    SoakSeeds.some(4_000).forEach(seed -> lives(seed, 5));
  }

  /** The same small life, crashed at each of its I/O calls in turn, those of recovery included. */
  @ParameterizedTest
  @EnumSource
  void everyCallIsACrash(CrashKind kind) {
    int crashes = 0;
    for (int call = 1; crashedAtCall(call, kind); call++) {
      crashes++;
    }
    assertThat(crashes).isGreaterThan(60);
  }

  private static boolean crashedAtCall(int call, CrashKind kind) {
    try (Simulation sim = Simulation.seeded(call)) {
      LogWorld world = new LogWorld(sim, new SplittableRandom(5), CONFIG);
      assertThat(world.open(0)).isTrue();
      assertThat(sim.run(world.writer(8, 3, MAX_VALUE_BYTES))).isTrue();
      int mustSurvive = world.survivors(kind);
      sim.crashAtCall(call, kind);
      boolean alive =
          world.open(mustSurvive)
              && sim.run(world.writer(20, 3, MAX_VALUE_BYTES))
              && sim.run(world::closeHere);
      mustSurvive = world.survivors(kind);
      int expected = mustSurvive;
      assertThat(sim.run(() -> world.openHere(expected))).isTrue();
      assertThat(sim.run(world.writer(5, 1, MAX_VALUE_BYTES))).isTrue();
      assertThat(sim.run(world::closeHere)).isTrue();
      return !alive;
    } catch (Throwable e) {
      throw new AssertionError("call " + call + ", " + kind, e);
    }
  }

  @Test
  void theSameSeedIsTheSameRun() {
    for (long seed = 0; seed < 10; seed++) {
      assertThat(lives(seed, 3)).isEqualTo(lives(seed, 3));
    }
  }

  /** Each life ends in a power loss during the next one's recovery, at each of its calls. */
  @Test
  void recoveryMayCrashAnyNumberOfTimes() {
    for (long seed = 0; seed < 20; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        LogWorld world = new LogWorld(sim, new SplittableRandom(seed), CONFIG);
        assertThat(world.open(0)).isTrue();
        assertThat(sim.run(world.writer(40, 3, MAX_VALUE_BYTES))).isTrue();
        int mustSurvive = world.survivors(CrashKind.POWER_LOSS);
        for (int call = 1; ; call++) {
          sim.crashAtCall(call, CrashKind.POWER_LOSS);
          boolean opened = world.open(mustSurvive);
          mustSurvive = world.survivors(CrashKind.POWER_LOSS);
          if (opened) {
            assertThat(call).isGreaterThan(30);
            break;
          }
        }
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }
}
