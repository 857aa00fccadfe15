package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.engine.Orders.bytes;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.CrashKind;
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
          List<IndexDefinition> indexes = List.of(Orders.BY_COUNTRY);
          Dataset orders = engine.datasets().open(Orders.NAME, Orders.RULE, indexes);
          Orders.verify(orders, indexes);
          assertThat(orders.get(bytes("k"))).isNull();
        });
  }
}
