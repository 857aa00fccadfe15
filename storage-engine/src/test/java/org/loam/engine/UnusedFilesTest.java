package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.StorageEnv;
import org.loam.common.mem.Epochs;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.SmallEngine;

/**
 * Files that came out of use while a reader was inside go soon after it has left, although nothing
 * else happens in the engine.
 */
@Tag("once")
@ExtendWith(QuietLog.class)
class UnusedFilesTest {
  private static final EngineConfig CONFIG = SmallEngine.calm().mergesWhenQuiet(false).build();

  /** Longer than a worker takes to look again. */
  private static final long PAUSE_NANOS = 2_000_000_000L;

  private interface Change {
    void run(Engine engine, Tree tree);
  }

  /** Two tables, which a change replaces while a reader is inside. */
  private static void whileAReaderIsInside(Simulation sim, Engine engine, Change change) {
    StorageEnv env = sim.env();
    Epochs readers = SmallEngine.fileEpochs(engine.open());
    Tree tree = engine.createTree("t");
    for (int i = 0; i < 2; i++) {
      tree.put(new byte[] {1}, new byte[] {(byte) i});
      tree.flush();
    }
    Set<String> before = tables(sim);
    int slot = readers.enter();
    try {
      change.run(engine, tree);
      env.waiter().pause(PAUSE_NANOS);
      assertThat(tables(sim)).as("with a reader inside").containsAll(before);
    } finally {
      readers.exit(slot);
    }
    env.waiter().pause(PAUSE_NANOS);
    assertThat(readers.retiredCount()).as("tables that wait for readers").isZero();
    assertThat(tables(sim)).isEqualTo(named(engine)).doesNotContainAnyElementsOf(before);
  }

  private static Set<String> tables(Simulation sim) {
    Set<String> names = new HashSet<>(sim.env().files().list(sim.directory().resolve("data")));
    names.removeIf(name -> !name.endsWith(".sst"));
    return names;
  }

  private static Set<String> named(Engine engine) {
    return engine.open().storage().manifest().read(state -> Set.copyOf(state.tableFiles(0)));
  }

  private static void inEngine(Change change) {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG)) {
              whileAReaderIsInside(sim, engine, change);
            }
          });
    }
  }

  @Test
  void theInputsOfACompaction() {
    inEngine((engine, tree) -> tree.compact());
  }

  @Test
  void theTablesOfADroppedTree() {
    inEngine((engine, tree) -> engine.dropTree("t"));
  }

  @Test
  void theInputsOfACompactionBelowAHost() {
    try (Simulation sim = Simulation.seeded(1)) {
      new SimulatedHost(new Random(1))
          .inEngine(
              sim,
              CONFIG,
              engine -> whileAReaderIsInside(sim, engine, (e, tree) -> tree.compact()));
    }
  }

  /** A fence ends flushes and merges, and not what is left of them. */
  @Test
  void afterAFence() {
    inEngine(
        (engine, tree) -> {
          tree.compact();
          engine.open().writes().latch().fence(new IllegalStateException("planned"));
        });
  }
}
