package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.loam.engine.Orders.bytes;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.error.FencedException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.lsm.dataset.IndexDefinition;

/**
 * Power is lost in a database that forces no writes: a change of trees, which is durable at once,
 * is not there without the writes that came before it.
 */
@Tag("once")
@ExtendWith(QuietLog.class)
class LostPowerTest {
  private static final int SEEDS = 20;
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final List<IndexDefinition> INDEXES = List.of(Orders.BY_COUNTRY);

  private static Engine open(Simulation sim) {
    return Engine.open(sim.env(), sim.directory(), EngineSimulationTest.config(Durability.PROCESS));
  }

  /**
   * Power is lost between two lives.
   *
   * @param before what is durable because the engine was closed after it
   */
  private static void lives(
      Consumer<Engine> before, Consumer<Engine> first, Consumer<Engine> second) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        sim.run(
            () -> {
              try (Engine engine = open(sim)) {
                before.accept(engine);
              }
            });
        sim.run(() -> first.accept(open(sim)));
        sim.crash(CrashKind.POWER_LOSS);
        sim.run(
            () -> {
              try (Engine engine = open(sim)) {
                second.accept(engine);
              }
            });
      } catch (Throwable t) {
        throw new AssertionError("seed " + seed, t);
      }
    }
  }

  private static void createTrees(Engine engine) {
    engine.createTree("kept");
    engine.createTree("dropped");
  }

  private static void requireWritten(Engine engine) {
    assertThat(engine.tree("kept").get(KEY)).isEqualTo(KEY);
  }

  @Test
  void aCreatedTreeComesWithTheWritesBeforeIt() {
    lives(
        LostPowerTest::createTrees,
        engine -> {
          engine.tree("kept").put(KEY, KEY);
          engine.createTree("created");
        },
        engine -> {
          assertThat(engine.hasTree("created")).isTrue();
          requireWritten(engine);
        });
  }

  @Test
  void aDroppedTreeGoesWithTheWritesBeforeIt() {
    lives(
        LostPowerTest::createTrees,
        engine -> {
          engine.tree("kept").put(KEY, KEY);
          engine.dropTree("dropped");
        },
        engine -> {
          assertThat(engine.hasTree("dropped")).isFalse();
          requireWritten(engine);
        });
  }

  @Test
  void aLoadWithoutEntriesComesWithTheWritesBeforeIt() {
    lives(
        LostPowerTest::createTrees,
        engine -> {
          engine.tree("kept").put(KEY, KEY);
          try (BulkLoad load = engine.tree("dropped").bulkLoad()) {
            load.commit();
          }
        },
        LostPowerTest::requireWritten);
  }

  /** No entry of the index is flushed, which would force the log: the record is deleted. */
  @Test
  void anIndexIsBuiltOnRecordsThatStay() {
    lives(
        engine ->
            engine
                .datasets()
                .create(Orders.NAME, Orders.RULE, List.of())
                .upsert(bytes("k"), bytes("NO;1;red;")),
        engine -> {
          Dataset orders = engine.datasets().open(Orders.NAME, Orders.RULE, List.of());
          orders.delete(bytes("k"));
          orders.createIndex(Orders.BY_COUNTRY);
        },
        engine -> {
          Dataset orders = engine.datasets().open(Orders.NAME, Orders.RULE, INDEXES);
          Orders.verify(orders, INDEXES);
          assertThat(orders.get(bytes("k"))).isNull();
        });
  }

  /** A change is refused while an earlier write cannot become durable; then a new life begins. */
  private static void refused(Consumer<Engine> change, Predicate<Engine> isMade) {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Engine engine = open(sim)) {
              createTrees(engine);
              engine.datasets().create(Orders.NAME, Orders.RULE, INDEXES);
            }
          });
      sim.run(
          () -> {
            try (Engine engine = open(sim)) {
              engine.tree("kept").put(KEY, KEY);
              sim.faults()
                  .add(
                      Fault.of(FaultEffect.IO_ERROR)
                          .on(IoKind.FORCE)
                          .onPath(path -> path.toString().contains("/log/"))
                          .asSticky());
              assertThatThrownBy(() -> change.accept(engine)).isInstanceOf(FencedException.class);
            }
          });
      sim.faults().clear();
      sim.run(
          () -> {
            try (Engine engine = open(sim)) {
              assertThat(isMade.test(engine)).isFalse();
            }
          });
    }
  }

  private static void load(Engine engine) {
    try (BulkLoad load = engine.tree("dropped").bulkLoad()) {
      load.add(KEY, KEY);
      load.commit();
    }
  }

  @Test
  void aTreeIsNotCreatedWhereAnEarlierWriteIsLost() {
    refused(engine -> engine.createTree("created"), engine -> engine.hasTree("created"));
  }

  @Test
  void aTreeIsNotDroppedWhereAnEarlierWriteIsLost() {
    refused(engine -> engine.dropTree("dropped"), engine -> !engine.hasTree("dropped"));
  }

  @Test
  void aLoadDoesNotCountWhereAnEarlierWriteIsLost() {
    refused(LostPowerTest::load, engine -> engine.tree("dropped").get(KEY) != null);
  }

  @Test
  void aDatasetIsNotCreatedWhereAnEarlierWriteIsLost() {
    refused(
        engine -> engine.datasets().create("created", Orders.RULE, List.of()),
        engine -> engine.datasets().has("created"));
  }

  @Test
  void aDatasetIsNotDroppedWhereAnEarlierWriteIsLost() {
    refused(
        engine -> engine.datasets().drop(Orders.NAME),
        engine -> !engine.datasets().has(Orders.NAME));
  }

  @Test
  void anIndexIsNotDroppedWhereAnEarlierWriteIsLost() {
    refused(
        engine ->
            engine
                .datasets()
                .open(Orders.NAME, Orders.RULE, INDEXES)
                .dropIndex(Orders.BY_COUNTRY.name()),
        engine -> engine.datasets().describe(Orders.NAME).indexes().isEmpty());
  }
}
