package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.loam.engine.Orders.INDEXES;
import static org.loam.engine.Orders.bytes;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.sim.Simulation;
import org.loam.lsm.dataset.IndexDefinition;

/** Writers of the same few records, readers, and indexes that come and go, under any schedule. */
@Tag("once")
class DatasetRaceTest {
  private static final int SEEDS = 25;
  private static final int WRITES = 60;
  private static final int KEYS = 7;

  @Test
  void indexesAgreeWithRecordsWhateverRunsBeside() {
    for (long seed = 0; seed < SEEDS; seed++) {
      race(seed);
    }
  }

  /**
   * A writer gives its lock back before its record is durable, which in a SYNC database is before
   * readers see it.
   */
  @Test
  void anIndexHasRecordsThatNoReaderSeesYet() {
    for (long seed = 0; seed < 4 * SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Dataset[] orders = new Dataset[1];
        sim.run(
            () ->
                orders[0] =
                    Engine.open(
                            sim.env(),
                            sim.directory(),
                            EngineSimulationTest.config(Durability.SYNC))
                        .datasets()
                        .create(Orders.NAME, Orders.RULE, List.of()));
        sim.run(
            () -> {
              for (int i = 0; i < 40; i++) {
                orders[0].upsert(bytes("k" + i), bytes("NO;1;red;"));
              }
            },
            () -> orders[0].createIndex(Orders.BY_COUNTRY));
        sim.run(
            () -> {
              assertThat(Orders.verify(orders[0], List.of(Orders.BY_COUNTRY))).isEqualTo(40);
              orders[0].open().close();
            });
      } catch (Throwable t) {
        throw new AssertionError("seed " + seed, t);
      }
    }
  }

  /** No caller gets hold of an index's tree, whether its entries are all there yet or not. */
  @Test
  void anIndexInTheMakingIsAPartOfItsDataset() {
    for (long seed = 0; seed < 3; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        boolean[] made = new boolean[1];
        int[] seen = new int[1];
        Engine[] engine = new Engine[1];
        Dataset[] orders = new Dataset[1];
        sim.run(
            () -> {
              engine[0] =
                  Engine.open(
                      sim.env(), sim.directory(), EngineSimulationTest.config(Durability.SYNC));
              orders[0] = engine[0].datasets().create(Orders.NAME, Orders.RULE, List.of());
            });
        sim.run(
            () -> {
              for (int i = 0; i < 300; i++) {
                orders[0].upsert(bytes("k" + i), bytes("NO;1;red;"));
              }
              orders[0].createIndex(Orders.BY_COUNTRY);
              made[0] = true;
            },
            () -> {
              while (!made[0]) {
                assertThat(engine[0].trees()).isEmpty();
                if (engine[0].hasTree("orders/country")) {
                  seen[0]++;
                  assertThatThrownBy(() -> engine[0].dropTree("orders/country"))
                      .isInstanceOf(IllegalArgumentException.class)
                      .hasMessageContaining("part of dataset 'orders'");
                }
                sim.env().tasks().start("pause", () -> {}).join();
              }
            });
        assertThat(seen[0]).as("looks during the build").isPositive();
        sim.run(engine[0]::close);
      }
    }
  }

  private static void race(long seed) {
    try (Simulation sim = Simulation.seeded(seed)) {
      Engine[] engine = new Engine[1];
      Dataset[] orders = new Dataset[1];
      sim.run(
          () -> {
            engine[0] =
                Engine.open(
                    sim.env(),
                    sim.directory(),
                    EngineSimulationTest.config(
                        seed % 2 == 0 ? Durability.SYNC : Durability.PROCESS));
            orders[0] =
                engine[0].datasets().create(Orders.NAME, Orders.RULE, List.of(Orders.BY_COUNTRY));
          });
      SplittableRandom seeds = new SplittableRandom(seed);
      sim.run(
          writer(engine[0], orders[0], seeds.split()),
          writer(engine[0], orders[0], seeds.split()),
          writer(engine[0], orders[0], seeds.split()),
          reader(orders[0], seeds.split()),
          () -> {
            for (IndexDefinition index : List.of(Orders.BY_LABEL, Orders.BY_AMOUNT)) {
              orders[0].createIndex(index);
            }
            orders[0].dropIndex("label");
            orders[0].createIndex(Orders.BY_LABEL);
          });
      sim.run(
          () -> {
            assertThat(Orders.verify(orders[0], INDEXES)).isPositive();
            engine[0].close();
          });
    } catch (Throwable t) {
      throw new AssertionError("seed " + seed, t);
    }
  }

  private static Runnable writer(Engine engine, Dataset orders, SplittableRandom random) {
    return () -> {
      for (int i = 0; i < WRITES; i++) {
        byte[] key = bytes("k" + random.nextInt(KEYS));
        switch (random.nextInt(5)) {
          case 0 -> orders.delete(key);
          case 1 -> orders.insert(key, record(random));
          case 2 ->
              engine
                  .datasets()
                  .write(
                      new DatasetBatch()
                          .upsert(orders, key, record(random))
                          .upsert(orders, bytes("k" + random.nextInt(KEYS)), record(random))
                          .delete(orders, bytes("k" + random.nextInt(KEYS))));
          default -> orders.upsert(key, record(random));
        }
      }
    };
  }

  private static byte[] record(SplittableRandom random) {
    String country = List.of("NO", "SE", "").get(random.nextInt(3));
    String labels = List.of("", "red", "red,big", "big,big,new").get(random.nextInt(4));
    String rest = "x".repeat(random.nextInt(2_000));
    return bytes(country + ";" + random.nextInt(5) + ";" + labels + ";" + rest);
  }

  /** What a query shows fits the index's key: index and record are of one moment. */
  private static Runnable reader(Dataset orders, SplittableRandom random) {
    return () -> {
      for (int i = 0; i < 30; i++) {
        String country = random.nextBoolean() ? "NO" : "SE";
        IndexQuery query = IndexQuery.equal(Orders.key(country));
        try (RecordCursor cursor =
            orders.query("country", random.nextBoolean() ? query : query.reverse())) {
          while (cursor.next()) {
            assertThat(new String(cursor.record(), java.nio.charset.StandardCharsets.UTF_8))
                .startsWith(country + ";");
          }
        }
      }
    };
  }
}
