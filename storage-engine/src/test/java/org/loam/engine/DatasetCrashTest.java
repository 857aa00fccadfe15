package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.engine.Orders.INDEXES;
import static org.loam.engine.Orders.NAME;
import static org.loam.engine.Orders.RULE;
import static org.loam.engine.Orders.bytes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.Durability;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.lsm.dataset.IndexDefinition;

/**
 * One life of a dataset, with definitions that change, crashed at its I/O calls in turn: what is
 * found is the state before or after the step that was under way, and every index agrees with the
 * records in both directions.
 */
@Tag("once")
class DatasetCrashTest {
  /** Every call would take a minute; steps that do not divide it come to all places. */
  private static final int STRIDE = 3;

  private static final String LARGE = "x".repeat(7_000);

  /** What is there: no dataset if {@code records} is null. */
  private record State(@Nullable Map<String, String> records, TreeSet<String> indexes) {
    private static final State NOTHING = new State(null, new TreeSet<>());

    State copy() {
      return new State(records == null ? null : new TreeMap<>(records), new TreeSet<>(indexes));
    }
  }

  /** One call, and what it does to the state. */
  private record Step(BiConsumer<Engine, Life> call, State after) {}

  /** The handle that a program would keep. */
  private static final class Life {
    @Nullable Dataset orders;
    int done;

    Dataset orders() {
      if (orders == null) {
        throw new AssertionError("not created yet");
      }
      return orders;
    }
  }

  /** Writes the steps down and keeps track of the state. */
  private static final class Scenario {
    final List<Step> steps = new ArrayList<>();
    private State now = State.NOTHING;

    private void step(BiConsumer<Engine, Life> call, State after) {
      steps.add(new Step(call, after.copy()));
      now = after;
    }

    void create(String... names) {
      State after = new State(new TreeMap<>(), new TreeSet<>(List.of(names)));
      step((e, life) -> life.orders = e.datasets().create(NAME, RULE, definitions(after)), after);
    }

    void upsert(String key, String record) {
      State after = now.copy();
      records(after).put(key, record);
      step((e, life) -> life.orders().upsert(bytes(key), bytes(record)), after);
    }

    void delete(String key) {
      State after = now.copy();
      records(after).remove(key);
      step((e, life) -> life.orders().delete(bytes(key)), after);
    }

    void swap(String one, String other) {
      State after = now.copy();
      String record = records(after).get(one);
      String second = records(after).get(other);
      records(after).put(one, second);
      records(after).put(other, record);
      step(
          (e, life) ->
              e.datasets()
                  .write(
                      new DatasetBatch()
                          .upsert(life.orders(), bytes(one), bytes(second))
                          .upsert(life.orders(), bytes(other), bytes(record))),
          after);
    }

    void createIndex(IndexDefinition index) {
      State after = now.copy();
      after.indexes().add(index.name());
      step((e, life) -> life.orders().createIndex(index), after);
    }

    void dropIndex(String name) {
      State after = now.copy();
      after.indexes().remove(name);
      step((e, life) -> life.orders().dropIndex(name), after);
    }

    void drop() {
      step((e, life) -> e.datasets().drop(NAME), State.NOTHING);
    }

    void flush() {
      step((e, life) -> e.flush(), now);
    }

    private static Map<String, String> records(State state) {
      if (state.records() == null) {
        throw new AssertionError("no dataset");
      }
      return state.records();
    }
  }

  private static List<Step> steps() {
    Scenario s = new Scenario();
    s.create("country");
    s.upsert("1", "NO;1;red;");
    s.upsert("2", "SE;2;red,big;" + LARGE);
    s.upsert("3", "NO;3;;" + LARGE);
    s.createIndex(Orders.BY_LABEL);
    s.upsert("1", "DK;4;big;" + LARGE);
    s.flush();
    s.swap("1", "2");
    s.delete("3");
    s.createIndex(Orders.BY_AMOUNT);
    s.upsert("4", "NO;1;new;" + LARGE);
    s.dropIndex("country");
    for (int i = 5; i < 16; i++) {
      s.upsert("" + i % 9, "FI;" + i + ";old;" + LARGE);
    }
    s.createIndex(Orders.BY_COUNTRY);
    s.swap("5", "6");
    s.drop();
    s.create();
    s.upsert("1", "NO;1;red;");
    s.createIndex(Orders.BY_LABEL);
    return s.steps;
  }

  private static List<IndexDefinition> definitions(State state) {
    return INDEXES.stream().filter(index -> state.indexes().contains(index.name())).toList();
  }

  private static Engine open(Simulation sim) {
    return Engine.open(sim.env(), sim.directory(), EngineSimulationTest.config(Durability.SYNC));
  }

  @ParameterizedTest
  @EnumSource
  void everyIndexAgreesWithTheRecordsAfterACrash(CrashKind kind) {
    List<Step> steps = steps();
    int crashes = 0;
    int[] at = new int[steps.size()];
    for (int call = 1; crashedAt(call, kind, steps, at); call += STRIDE) {
      crashes++;
    }
    assertThat(crashes).isGreaterThan(80);
    assertThat(at[4] + at[9]).as("crashes while an index was made").isPositive();
  }

  /** False if the steps ended before the call. */
  private static boolean crashedAt(int call, CrashKind kind, List<Step> steps, int[] at) {
    Life life = new Life();
    try (Simulation sim = Simulation.seeded(call)) {
      sim.crashAtCall(call, kind);
      boolean ended =
          sim.run(
              () -> {
                try (Engine engine = open(sim)) {
                  for (Step step : steps) {
                    step.call().accept(engine, life);
                    life.done++;
                  }
                }
              });
      if (ended) {
        return false;
      }
      at[Math.min(life.done, at.length - 1)]++;
      assertThat(sim.run(() -> verify(sim, steps, life.done))).isTrue();
      return true;
    } catch (Throwable t) {
      throw new AssertionError(kind + " at call " + call + ", step " + life.done, t);
    }
  }

  private static void verify(Simulation sim, List<Step> steps, int done) {
    State before = done == 0 ? State.NOTHING : steps.get(done - 1).after();
    State after = done == steps.size() ? before : steps.get(done).after();
    try (Engine engine = open(sim)) {
      State found = found(engine);
      assertThat(found).isIn(before, after);
      assertThat(engine.trees()).isEmpty();
      if (found.records() != null) {
        Dataset orders = engine.datasets().open(NAME, RULE, definitions(found));
        Orders.verify(orders, definitions(found));
        orders.upsert(bytes("1"), bytes("FI;9;last;"));
        for (IndexDefinition index : INDEXES) {
          if (!found.indexes().contains(index.name())) {
            orders.createIndex(index);
          }
        }
        Orders.verify(orders, INDEXES);
      }
    }
  }

  private static State found(Engine engine) {
    if (!engine.datasets().has(NAME)) {
      return State.NOTHING;
    }
    TreeSet<String> indexes = new TreeSet<>();
    engine.datasets().describe(NAME).indexes().forEach(index -> indexes.add(index.name()));
    State known = new State(new TreeMap<>(), indexes);
    Dataset orders = engine.datasets().open(NAME, RULE, definitions(known));
    try (Cursor cursor = orders.scan(ScanOptions.all())) {
      while (cursor.next()) {
        Scenario.records(known)
            .put(new String(cursor.key(), UTF_8), new String(cursor.value(), UTF_8));
      }
    }
    return known;
  }
}
