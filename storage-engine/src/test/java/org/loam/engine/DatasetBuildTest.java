package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.loam.engine.Orders.bytes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.loam.common.config.Durability;
import org.loam.common.error.ClosedException;
import org.loam.common.error.DeadlineException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.common.error.StorageIoException;
import org.loam.common.sim.Simulation;
import org.loam.engine.notify.RecordedEvents;
import org.loam.engine.report.EventListener.StallBegun;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;

/** Writers that wait for an index: how long, how one knows of it, and what ends the wait. */
@Tag("once")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DatasetBuildTest {
  private static final int SEEDS = 5;
  private static final int RECORDS = 20;
  private static final Duration TIMEOUT = Duration.ofMillis(300);
  private static final WriteOptions IN_TIME = WriteOptions.DEFAULT.within(TIMEOUT);

  /** A signal, or that a writer looks again by itself. */
  private static final long PROMPT_NANOS = 150_000_000;

  /** An engine with a dataset, and an index of it that is built for as long as the test wants. */
  private static final class World {
    final Simulation sim;
    final RecordedEvents events = new RecordedEvents();
    final Engine engine;
    final Dataset orders;
    final Dataset other;
    private boolean begun;
    private boolean mayEnd;

    World(Simulation sim) {
      this.sim = sim;
      engine =
          Engine.open(
              sim.env(),
              sim.directory(),
              EngineSimulationTest.config(Durability.SYNC),
              OpenOptions.DEFAULT.withListener(events));
      orders = engine.datasets().create(Orders.NAME, Orders.RULE, List.of());
      other = engine.datasets().create("other", Orders.RULE, List.of());
      for (int i = 0; i < RECORDS; i++) {
        orders.upsert(bytes("k" + i), bytes("NO;1;red;"));
      }
    }

    void build() {
      orders.createIndex(
          IndexDefinition.of(
              "country",
              Orders.BY_COUNTRY.rule(),
              (record, keys) -> {
                begun = true;
                await(() -> mayEnd);
                Orders.BY_COUNTRY.extractor().extract(record, keys);
              }));
    }

    /** The build is under way. */
    void awaitBuild() {
      await(() -> begun);
    }

    void endBuild() {
      mayEnd = true;
    }

    void await(java.util.function.BooleanSupplier condition) {
      while (!condition.getAsBoolean()) {
        sim.env().waiter().pause(1_000_000);
      }
    }

    long nanoTime() {
      return sim.env().clock().nanoTime();
    }

    StallLog.Totals stalls() {
      StallLog.Snapshot all = engine.open().writes().stalls().snapshot(nanoTime());
      return all.totals().getOrDefault(StallCause.INDEX_BUILD, new StallLog.Totals(0, 0, 0, 0));
    }

    void refusedInTime(ThrowingCallable write) {
      long before = nanoTime();
      assertThatThrownBy(write)
          .isExactlyInstanceOf(DeadlineException.class)
          .hasMessageContainingAll(
              "write to dataset 'orders'",
              "not admitted within PT0.3S",
              "INDEX_BUILD of index 'country'",
              "nothing was written",
              "try again later or allow more time");
      assertThat(nanoTime() - before)
          .isBetween(TIMEOUT.toNanos(), TIMEOUT.toNanos() + PROMPT_NANOS);
    }
  }

  private static void inWorld(long seed, Consumer<World> test) {
    try (Simulation sim = Simulation.seeded(seed)) {
      World[] world = new World[1];
      sim.run(() -> world[0] = new World(sim));
      test.accept(world[0]);
      sim.run(world[0].engine::close);
      world[0].events.checkPairs();
    } catch (Throwable t) {
      throw new AssertionError("seed " + seed, t);
    }
  }

  @Test
  void aDeadlineEndsTheWaitAndNothingIsWritten() {
    inWorld(
        1,
        world -> {
          Dataset orders = world.orders;
          Runnable writer =
              () -> {
                world.awaitBuild();
                byte[] record = bytes("SE;2;;");
                world.refusedInTime(() -> orders.upsert(bytes("k0"), record, IN_TIME));
                world.refusedInTime(() -> orders.insert(bytes("new"), record, IN_TIME));
                world.refusedInTime(() -> orders.delete(bytes("k1"), IN_TIME));
                DatasetBatch batch =
                    new DatasetBatch()
                        .upsert(world.other, bytes("k"), record)
                        .upsert(orders, bytes("new"), record);
                world.refusedInTime(() -> world.engine.datasets().write(batch, IN_TIME));
                assertThat(orders.get(bytes("k0"))).isEqualTo(bytes("NO;1;red;"));
                assertThat(orders.get(bytes("k1"))).isNotNull();
                assertThat(orders.get(bytes("new"))).isNull();
                assertThat(world.other.get(bytes("k"))).isNull();
                assertThat(world.stalls().count()).isEqualTo(4);
                world.endBuild();
              };
          world.sim.run(world::build, writer);
          world.sim.run(
              () -> {
                orders.upsert(bytes("k0"), bytes("SE;2;;"), IN_TIME);
                assertThat(Orders.verify(orders, List.of(Orders.BY_COUNTRY))).isEqualTo(RECORDS);
              });
        });
  }

  /** However it comes to wait, before a lock or at it. */
  @Test
  void oneWaitIsOneStall() {
    for (long seed = 0; seed < SEEDS; seed++) {
      inWorld(
          seed,
          world -> {
            long[] waited = new long[1];
            boolean[] done = new boolean[1];
            world.sim.run(
                world::build,
                () -> {
                  for (int i = 0; waited[0] < 100_000_000; i++) {
                    long before = world.nanoTime();
                    world.orders.upsert(bytes("k" + i), bytes("SE;;;"));
                    waited[0] = world.nanoTime() - before;
                  }
                  done[0] = true;
                },
                () -> {
                  world.awaitBuild();
                  world.await(() -> done[0] || world.stalls().activeCount() == 1);
                  assertThat(done[0]).isFalse();
                  world.sim.env().waiter().pause(500_000_000);
                  world.endBuild();
                });
            assertThat(world.stalls().count()).isEqualTo(1);
            assertThat(waited[0] - world.stalls().nanos()).isBetween(0L, PROMPT_NANOS);
            List<StallBegun> begun = world.events.all(StallBegun.class);
            assertThat(begun).extracting(StallBegun::cause).containsOnly(StallCause.INDEX_BUILD);
            assertThat(begun).extracting(StallBegun::tree).containsOnly(Orders.NAME);
          });
    }
  }

  /** A batch that waits for one dataset holds no lock of another. */
  @Test
  void othersAreNotKeptWaiting() {
    inWorld(
        2,
        world ->
            world.sim.run(
                world::build,
                () -> {
                  world.awaitBuild();
                  DatasetBatch batch =
                      new DatasetBatch()
                          .upsert(world.other, bytes("k"), bytes("1"))
                          .upsert(world.orders, bytes("k"), bytes("NO;;;"));
                  world.engine.datasets().write(batch);
                  assertThat(world.other.get(bytes("k"))).isEqualTo(bytes("1"));
                },
                () -> {
                  world.await(() -> world.stalls().activeCount() == 1);
                  world.other.upsert(bytes("k"), bytes("2"), IN_TIME);
                  assertThat(world.engine.datasets().open(Orders.NAME, Orders.RULE, List.of()))
                      .isEqualTo(world.orders);
                  world.endBuild();
                }));
  }

  private static void endTheWait(Class<? extends StorageException> expected, Consumer<World> end) {
    for (long seed = 0; seed < SEEDS; seed++) {
      List<StorageException> told = new ArrayList<>();
      List<StorageException> builder = new ArrayList<>();
      long[] times = new long[2];
      inWorld(
          seed,
          world -> {
            world.sim.run(
                () -> catching(builder, world::build),
                () -> {
                  world.awaitBuild();
                  catching(told, () -> world.orders.upsert(bytes("k"), bytes("SE;;;")));
                  times[1] = world.nanoTime();
                },
                () -> {
                  world.await(() -> world.stalls().activeCount() == 1);
                  world.sim.env().waiter().pause(world.sim.env().random().nextInt(300_000_000));
                  times[0] = world.nanoTime();
                  end.accept(world);
                },
                () -> {
                  world.await(() -> !told.isEmpty());
                  world.endBuild();
                });
            assertThat(world.stalls().activeCount()).isZero();
          });
      assertThat(told).singleElement().isExactlyInstanceOf(expected);
      assertThat(times[1] - times[0]).isLessThan(PROMPT_NANOS);
      assertThat(builder).singleElement().isExactlyInstanceOf(expected);
    }
  }

  private static void catching(List<StorageException> told, Runnable action) {
    try {
      action.run();
    } catch (StorageException e) {
      told.add(e);
    }
  }

  @Test
  void closingEndsTheWait() {
    endTheWait(ClosedException.class, world -> world.engine.close());
  }

  @Test
  void aFenceEndsTheWait() {
    endTheWait(
        FencedException.class,
        world -> world.engine.open().writes().latch().fence(new StorageIoException("a fault")));
  }

  /** The drop comes after the build; writers write before it, or are told. */
  @Test
  void aDropOfTheDatasetWaitsForTheIndex() {
    for (long seed = 0; seed < SEEDS; seed++) {
      List<StorageException> told = new ArrayList<>();
      inWorld(
          seed,
          world -> {
            world.sim.run(
                world::build,
                () -> {
                  world.awaitBuild();
                  for (int i = 0; told.isEmpty(); i++) {
                    byte[] key = bytes("k" + i);
                    catching(told, () -> world.orders.upsert(key, bytes("SE;;;")));
                    world.sim.env().waiter().pause(1_000_000);
                  }
                },
                () -> {
                  world.await(() -> world.stalls().activeCount() == 1);
                  world.engine.datasets().drop(Orders.NAME);
                },
                () -> {
                  world.await(() -> world.stalls().activeCount() == 1);
                  world.sim.env().waiter().pause(50_000_000);
                  world.endBuild();
                });
            assertThat(world.engine.hasTree("orders/country")).isFalse();
          });
      assertThat(told).singleElement().isExactlyInstanceOf(ClosedException.class);
    }
  }

  /** Each sees what the other made. */
  @Test
  void twoIndexesAreBuiltOneAfterTheOther() {
    inWorld(
        3,
        world -> {
          world.sim.run(
              world::build,
              () -> {
                world.awaitBuild();
                world.orders.createIndex(Orders.BY_LABEL);
              },
              () -> {
                world.awaitBuild();
                assertThatThrownBy(() -> world.orders.createIndex(Orders.BY_COUNTRY))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'country' already");
              },
              () -> {
                world.awaitBuild();
                world.sim.env().waiter().pause(50_000_000);
                world.endBuild();
              });
          world.sim.run(
              () ->
                  assertThat(
                          Orders.verify(world.orders, List.of(Orders.BY_COUNTRY, Orders.BY_LABEL)))
                      .isEqualTo(2 * RECORDS));
        });
  }

  @Test
  void theBuildTellsHowFarItIs() {
    inWorld(
        4,
        world ->
            world.sim.run(
                () -> {
                  int records = 2500;
                  for (int i = 0; i < records; i += 100) {
                    DatasetBatch batch = new DatasetBatch();
                    for (int j = i; j < i + 100; j++) {
                      batch.upsert(world.orders, bytes("k" + j), bytes("NO;1;red;"));
                    }
                    world.engine.datasets().write(batch);
                  }
                  List<Long> done = new ArrayList<>();
                  List<Long> totals = new ArrayList<>();
                  world.orders.createIndex(
                      Orders.BY_LABEL,
                      (doneRecords, totalRecords) -> {
                        assertThat(totalRecords).isGreaterThanOrEqualTo(doneRecords);
                        done.add(doneRecords);
                        totals.add(totalRecords);
                      });
                  assertThat(done).containsExactly(0L, 1000L, 2000L, 2500L);
                  assertThat(totals.get(3)).isEqualTo(records);
                  totals.clear();
                  world.engine.flush();
                  world.orders.createIndex(
                      Orders.BY_COUNTRY, (doneRecords, totalRecords) -> totals.add(totalRecords));
                  assertThat(totals.get(0)).isBetween((long) records, (long) records + RECORDS);
                }));
  }
}
