package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.DeadlineException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.SmallEngine;
import org.loam.engine.tree.Schema;

/** A full log that holds nothing which memory still needs becomes short again by itself. */
@Tag("once")
@ExtendWith(QuietLog.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LogTruncationTest {
  private static final int SEEDS = 20;
  private static final long SLOW_NANOS = 10_000_000_000L;
  private static final byte[] VALUE = new byte[1000];

  /** More than the log has room for after a single write was truncated. */
  private static final byte[] LARGE = new byte[8000];

  private static final WriteOptions PATIENT =
      WriteOptions.DEFAULT.within(Duration.ofMinutes(2)).sync();
  private static final EngineConfig CONFIG = SmallEngine.calm().logMaxBytes(256 << 10).build();

  /** A segment of the log, but not one that is only being prepared. */
  private static boolean isSegment(Path path) {
    return path.getParent().endsWith("log") && !path.toString().endsWith(".new");
  }

  private static byte[] key(int i) {
    return ("key" + i).getBytes(UTF_8);
  }

  /** Writes to a tree until the log has no room; forces are so slow that no flush ends. */
  private static void fill(Simulation sim, Tree tree) {
    sim.disk().slowForces(LogTruncationTest::isSegment, SLOW_NANOS);
    WriteOptions soon = WriteOptions.DEFAULT.within(Duration.ofMillis(300));
    int i = 0;
    try {
      while (true) {
        tree.put(key(i), VALUE, soon);
        i++;
      }
    } catch (DeadlineException e) {
      assertThat(e).hasMessageContaining("LOG_FULL");
    }
  }

  /** As if they had come while a drop waited for those before. */
  private static void dropBeforeTheWritesAreForced(Engine engine, Tree tree) {
    Schema schema = engine.open().schema();
    schema.underChanges(() -> schema.drop(List.of(tree.lsm())));
  }

  @Test
  void aLogFullOfADroppedTreeIsTruncatedOnceItIsForced() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        sim.run(
            () -> {
              Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG);
              Tree kept = engine.createTree("kept");
              Tree dropped = engine.createTree("dropped");
              fill(sim, dropped);
              dropBeforeTheWritesAreForced(engine, dropped);
              kept.put(key(0), LARGE, PATIENT);
            });
        sim.crash(CrashKind.POWER_LOSS);
        sim.disk().slowForces(path -> false, 0);
        sim.run(
            () -> {
              try (Engine recovered = Engine.open(sim.env(), sim.directory(), CONFIG)) {
                assertThat(recovered.tree("kept").get(key(0))).isEqualTo(LARGE);
              }
            });
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  @Test
  void theFaultOfATruncationIsForgottenWhenTheNextOneSucceeds() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG)) {
              Tree kept = engine.createTree("kept");
              Tree dropped = engine.createTree("dropped");
              fill(sim, dropped);
              dropBeforeTheWritesAreForced(engine, dropped);
              FullManifest.fillForTruncation(engine);
              sim.faults().add(FullManifest.fault(sim));
              while (engine.health().flushFault() == null) {
                sim.env().waiter().pause(1_000_000);
              }
              kept.put(key(0), LARGE, PATIENT);
              assertThat(engine.health().flushFault()).isNull();
            }
          });
    }
  }
}
