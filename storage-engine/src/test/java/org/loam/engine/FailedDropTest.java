package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.StorageIoException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.SmallEngine;
import org.loam.lsm.dataset.IndexDefinition;

/** A tree that could not be dropped is as before, also for flushes that met it meanwhile. */
@Tag("once")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(QuietLog.class)
class FailedDropTest {
  private static final int SEEDS = 30;

  /** What the edit of a drop takes of the manifest. */
  private static final int DROP_BYTES = 56;

  private static final long SLOW_NANOS = 3_000_000_000L;
  private static final long PAUSE_NANOS = 30_000_000;

  private static final EngineConfig CONFIG = SmallEngine.calm().build();

  private interface World {
    void run(Simulation sim, Engine engine);
  }

  /** Runs on an engine with a tree "t" that has an entry in memory, and whose drop will fail. */
  private static void eachSeed(World world) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Engine[] engine = new Engine[1];
        sim.run(
            () -> {
              engine[0] = Engine.open(sim.env(), sim.directory(), CONFIG);
              engine[0].createTree("t").put("a".getBytes(UTF_8), new byte[100]);
              letNextDropFail(sim, engine[0]);
            });
        world.run(sim, engine[0]);
        sim.disk().slowForces(path -> false, 0);
        sim.run(engine[0]::close);
      } catch (Throwable t) {
        throw new AssertionError("seed " + seed, t);
      }
    }
  }

  /** It needs a fresh file of the manifest, which cannot be made. */
  private static void letNextDropFail(Simulation sim, Engine engine) {
    FullManifest.fill(engine, DROP_BYTES);
    sim.faults().add(FullManifest.fault(sim));
  }

  private static void requireDropFails(Engine engine) {
    assertThatThrownBy(() -> engine.dropTree("t")).isInstanceOf(StorageIoException.class);
  }

  @Test
  void aFlushThatIsWaitedForStillHasToBeDone() {
    eachSeed(
        (sim, engine) -> {
          sim.disk().slowForces(path -> path.toString().endsWith(".sst"), SLOW_NANOS);
          sim.run(
              () -> {
                Tree tree = engine.tree("t");
                tree.flush();
                assertThat(tree.lsm().hasFrozen()).isFalse();
              },
              () -> {
                sim.env().waiter().pause(PAUSE_NANOS);
                requireDropFails(engine);
              });
        });
  }

  @Test
  void aFlushThatFailedBeforeIsTriedAgain() {
    eachSeed(
        (sim, engine) -> {
          sim.disk().slowForces(path -> path.toString().contains("manifest-"), SLOW_NANOS);
          sim.faults()
              .add(
                  Fault.of(FaultEffect.IO_ERROR)
                      .on(IoKind.WRITE)
                      .onPath(path -> path.toString().endsWith(".sst")));
          sim.run(
              () -> {
                Tree tree = engine.tree("t");
                assertThatThrownBy(tree::flush).isInstanceOf(StorageIoException.class);
                // The next attempt comes while this is under way.
                requireDropFails(engine);
                tree.flush();
                assertThat(tree.lsm().hasFrozen()).isFalse();
              });
        });
  }

  private interface DatasetWorld {
    void run(Engine engine, Dataset orders);
  }

  /** Runs on an engine with a dataset, an index of which could be neither built nor dropped. */
  private static void afterAFailedBuild(DatasetWorld world) {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG)) {
              Dataset orders = engine.datasets().create(Orders.NAME, Orders.RULE, List.of());
              orders.upsert(Orders.bytes("k"), Orders.bytes("NO;1;red;"));
              IndexDefinition failing =
                  IndexDefinition.of(
                      "country",
                      Orders.BY_COUNTRY.rule(),
                      (record, keys) -> {
                        letNextDropFail(sim, engine);
                        throw new IllegalArgumentException("planned");
                      });
              assertThatThrownBy(() -> orders.createIndex(failing))
                  .isInstanceOf(IllegalArgumentException.class)
                  .satisfies(
                      e ->
                          assertThat(e.getSuppressed())
                              .hasOnlyElementsOfType(StorageIoException.class)
                              .hasSize(1));
              world.run(engine, orders);
            }
          });
    }
  }

  @Test
  void theTreeOfAnIndexThatCouldNotBeBuiltIsNotInTheWayOfTheNext() {
    afterAFailedBuild(
        (engine, orders) -> {
          orders.createIndex(
              IndexDefinition.of(
                  "country", Orders.BY_COUNTRY.rule(), Orders.BY_COUNTRY.extractor()));
          assertThat(engine.verify().findings()).isEmpty();
          assertThat(engine.statistics().trees()).hasSize(2);
        });
  }

  @Test
  void theTreeOfAnIndexThatCouldNotBeBuiltGoesWithItsDataset() {
    afterAFailedBuild(
        (engine, orders) -> {
          engine.datasets().drop(Orders.NAME);
          assertThat(engine.statistics().trees()).isEmpty();
        });
  }

  /** Whose trees belonged to no dataset would be open to writes past the indexes. */
  @Test
  void aDatasetAndAnIndexThatCouldNotBeDroppedAreThereAsBefore() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG)) {
              Dataset orders =
                  engine.datasets().create(Orders.NAME, Orders.RULE, List.of(Orders.BY_COUNTRY));
              letNextDropFail(sim, engine);
              assertThatThrownBy(() -> engine.datasets().drop(Orders.NAME))
                  .isInstanceOf(StorageIoException.class);
              assertThat(engine.datasets().has(Orders.NAME)).isTrue();
              letNextDropFail(sim, engine);
              assertThatThrownBy(() -> orders.dropIndex("country"))
                  .isInstanceOf(StorageIoException.class);
              orders.upsert(Orders.bytes("k"), Orders.bytes("NO;1;red;"));
              assertThat(engine.trees()).isEmpty();
              assertThat(engine.statistics().trees()).hasSize(2);
              assertThat(engine.verify().findings()).isEmpty();
            }
          });
    }
  }
}
