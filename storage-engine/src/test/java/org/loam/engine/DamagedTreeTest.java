package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.DeadlineException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.SmallEngine;

/** Merges of a tree fail again and again since a table is damaged; those of another one go on. */
@Tag("once")
@ExtendWith(QuietLog.class)
class DamagedTreeTest {
  private static final int TABLES = 3;
  private static final int STOP = 4;

  /** The merge of the damaged table is tried again while another one lasts so long. */
  private static final long SLOW_NANOS = 100_000_000_000L;

  private static final long PAUSE_NANOS = 1_000_000_000;
  private static final Predicate<Path> TABLE = path -> path.toString().endsWith(".sst");

  private static final EngineConfig CONFIG =
      SmallEngine.calm()
          .l0MinMerge(TABLES)
          .l0ScanFreeRatio(1)
          .l0Stop(STOP)
          .mergeThreads(2)
          .mergesWhenQuiet(false)
          .build();

  private interface Body {
    void run(Simulation sim, Engine engine, Path table);
  }

  /** Runs on an engine with a sound tree of two tables, after a merge of a damaged one failed. */
  private static void inEngine(Body body) {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG)) {
              Tree damaged = engine.createTree("damaged");
              Tree sound = engine.createTree("sound");
              flushOne(damaged);
              Path table = sim.disk().files().stream().filter(TABLE).findAny().orElseThrow();
              sim.disk().flip(table, 1000, 0x10);
              for (int i = 1; i < TABLES; i++) {
                flushOne(damaged);
                flushOne(sound);
              }
              sim.env().waiter().pause(PAUSE_NANOS);
              body.run(sim, engine, table);
            }
          });
    }
  }

  private static void flushOne(Tree tree) {
    tree.put("key".getBytes(UTF_8), new byte[3000]);
    tree.flush();
  }

  @Test
  void theCompactionOfAnotherTreeGoesOn() {
    inEngine(
        (sim, engine, table) -> {
          sim.disk().slowForces(TABLE, SLOW_NANOS);
          engine.tree("sound").compact();
          sim.disk().slowForces(path -> false, 0);
          assertThatThrownBy(engine.tree("damaged")::compact)
              .isInstanceOf(CorruptionException.class);
        });
  }

  @Test
  void theDamageIsKnownUntilTheTreeIsDropped() {
    inEngine(
        (sim, engine, table) -> {
          assertThat(engine.health().mergeFault()).contains(table.toString());
          engine.tree("sound").compact();
          assertThat(engine.health().mergeFault()).contains(table.toString());
          engine.dropTree("damaged");
          assertThat(engine.health().mergeFault()).isNull();
        });
  }

  @Test
  void theDamageIsKnownUntilItIsMended() {
    inEngine(
        (sim, engine, table) -> {
          sim.disk().flip(table, 1000, 0x10);
          long begun = sim.env().clock().nanoTime();
          engine.tree("damaged").compact();
          long took = sim.env().clock().nanoTime() - begun;
          assertThat(took).as("nanos of a compaction, without a rest").isLessThan(PAUSE_NANOS);
          assertThat(engine.health().mergeFault()).isNull();
        });
  }

  /** The damaged tree with so many tables that its writers wait. */
  private static Tree stopped(Engine engine) {
    Tree damaged = engine.tree("damaged");
    for (int i = TABLES; i < STOP; i++) {
      flushOne(damaged);
    }
    return damaged;
  }

  /** Nothing relieves it: the merge of the damaged table is tried again, and fails again. */
  @Test
  void aWriterDoesNotWaitForGood() {
    inEngine(
        (sim, engine, table) -> {
          Tree damaged = stopped(engine);
          WriteOptions anHour = WriteOptions.DEFAULT.within(Duration.ofHours(1));
          assertThatThrownBy(() -> damaged.put(new byte[1], new byte[1], anHour))
              .isInstanceOf(CorruptionException.class)
              .hasMessageContaining("L0_STOP")
              .hasMessageContaining(table.toString());
          sim.disk().flip(table, 1000, 0x10);
          damaged.compact();
          damaged.put(new byte[1], new byte[1], anHour);
        });
  }

  @Test
  void aWriterThatWaitsInVainLearnsOfIt() {
    inEngine(
        (sim, engine, table) -> {
          Tree damaged = stopped(engine);
          engine.tree("sound").compact();
          WriteOptions soon = WriteOptions.DEFAULT.within(Duration.ofSeconds(1));
          assertThatThrownBy(() -> damaged.put(new byte[1], new byte[1], soon))
              .isInstanceOf(DeadlineException.class)
              .hasMessageContaining("L0_STOP")
              .hasMessageContaining(table.toString());
        });
  }
}
