package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.FencedException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.SmallEngine;

/**
 * A flush, a compaction and a close return when the work they wait for ends, or when it cannot end
 * any more. The simulation finds a wait that no signal ends: nothing can go on then.
 */
@Tag("once")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(QuietLog.class)
class WorkEndTest {
  private static final int SEEDS = 30;

  /** Far less than the flush still takes. */
  private static final long SOON_NANOS = 20_000_000;

  private static final long SLOW_NANOS = 3_000_000_000L;
  private static final long PAUSE_NANOS = 30_000_000;
  private static final int RECORDS = 100;
  private static final int RECORD_BYTES = 10_000;

  /** Less than a flush of the records takes below the limit. */
  private static final long LIMITED_NANOS = 1_000_000_000;

  private static final EngineConfig CONFIG = SmallEngine.calm().build();

  private static void put(Tree tree, String key) {
    tree.put(key.getBytes(UTF_8), new byte[100]);
  }

  @Test
  void flushesAndCompactionsReturn() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        sim.run(
            () -> {
              try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG)) {
                Tree tree = engine.createTree("t");
                put(tree, "a");
                tree.flush();
                put(tree, "a");
                tree.compact();
                put(tree, "a");
              }
            });
      }
    }
  }

  /**
   * A client waits for a flush that takes long, and another one does what ends the wait.
   *
   * @param verdict checks what the first client got, null if nothing was thrown
   */
  private static void whileAFlushIsSlow(
      Consumer<Engine> other, Consumer<@Nullable Throwable> verdict) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Engine[] engine = new Engine[1];
        sim.run(
            () -> {
              engine[0] = Engine.open(sim.env(), sim.directory(), CONFIG);
              put(engine[0].createTree("t"), "a");
            });
        sim.disk().slowForces(path -> path.toString().endsWith(".sst"), SLOW_NANOS);
        @Nullable Throwable[] thrown = new Throwable[1];
        long[] took = new long[1];
        long[] begun = new long[1];
        sim.run(
            () -> {
              Tree tree = engine[0].tree("t");
              thrown[0] = catchThrowable(tree::flush);
              took[0] = sim.env().clock().nanoTime() - begun[0];
            },
            () -> {
              sim.env().waiter().pause(PAUSE_NANOS);
              begun[0] = sim.env().clock().nanoTime();
              other.accept(engine[0]);
            });
        assertThat(took[0]).as("nanos until the wait ended").isLessThan(SOON_NANOS);
        verdict.accept(thrown[0]);
        sim.disk().slowForces(path -> false, 0);
        sim.run(engine[0]::close);
      }
    }
  }

  @Test
  void aFenceEndsTheWaitForAFlush() {
    whileAFlushIsSlow(
        engine -> engine.open().writes().latch().fence(new IllegalStateException("planned")),
        thrown -> assertThat(thrown).isInstanceOf(FencedException.class));
  }

  @Test
  void aDropEndsTheWaitForAFlush() {
    whileAFlushIsSlow(engine -> engine.dropTree("t"), thrown -> assertThat(thrown).isNull());
  }

  /** Nothing could lift the limit any more once the close has begun. */
  @Test
  void aCloseDoesNotWaitForTheLimitOfBytes() {
    try (Simulation sim = Simulation.seeded(1)) {
      EngineConfig config = CONFIG.toBuilder().ioLimitBytesPerSecond(1 << 20).build();
      sim.run(
          () -> {
            Engine engine = Engine.open(sim.env(), sim.directory(), config);
            Tree tree = engine.createTree("t");
            for (int i = 0; i < RECORDS; i++) {
              tree.put(new byte[] {(byte) i}, new byte[RECORD_BYTES]);
            }
            long begun = sim.env().clock().nanoTime();
            engine.close();
            long took = sim.env().clock().nanoTime() - begun;
            assertThat(took).as("nanos of the close").isLessThan(LIMITED_NANOS);
          });
    }
  }
}
