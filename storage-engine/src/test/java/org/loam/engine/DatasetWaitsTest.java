package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.loam.engine.Orders.bytes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteSlowdown;
import org.loam.common.env.TaskRunner.Task;
import org.loam.common.error.DeadlineException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;

/** What writers of a dataset wait for, and how long: for a key, for their turn. */
@Tag("once")
@ExtendWith(QuietLog.class)
class DatasetWaitsTest {
  private static final int SEEDS = 10;
  private static final byte[] KEY = bytes("k");
  private static final byte[] RECORD = bytes("NO;1;red;");
  private static final byte[] SLOW_RECORD = bytes("SE;1;red;");
  private static final long SLOW_NANOS = 10_000_000_000L;
  private static final WriteOptions AT_ONCE = WriteOptions.DEFAULT.within(Duration.ZERO);
  private static final WriteOptions IN_A_SECOND =
      WriteOptions.DEFAULT.within(Duration.ofSeconds(1));

  private static final int BATCH = 10;

  /** At {@link #LIMITED} it takes a tenth of a second. */
  private static final byte[] LARGE_RECORD = bytes("NO;1;red;" + "x".repeat(100_000));

  private static final EngineConfig CALM =
      EngineConfig.builder()
          .memoryTotalBytes(64 << 20)
          .pageBytes(4096)
          .durability(Durability.PROCESS)
          .writeInitialBytes(16 << 20)
          .logSegmentBytes(1 << 20)
          .logMaxBytes(64 << 20)
          .tunerMode(TunerMode.FROZEN)
          .build();

  private static final EngineConfig LIMITED =
      CALM.toBuilder()
          .writeControl(WriteSlowdown.LIMIT)
          .writeLimitBytesPerSecond(1_000_000)
          .build();

  /** An engine with datasets, in simulated time. */
  private record World(Simulation sim, Engine engine) {
    static void each(EngineConfig config, Consumer<World> test) {
      for (long seed = 0; seed < SEEDS; seed++) {
        try (Simulation sim = Simulation.seeded(seed)) {
          sim.run(
              () -> {
                try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
                  test.accept(new World(sim, engine));
                }
              });
        } catch (Throwable t) {
          throw new AssertionError("seed " + seed, t);
        }
      }
    }

    Dataset create(String name, IndexDefinition... indexes) {
      return engine.datasets().create(name, Orders.RULE, List.of(indexes));
    }

    long nanosOf(Runnable action) {
      long begin = sim.env().clock().nanoTime();
      action.run();
      return sim.env().clock().nanoTime() - begin;
    }

    Task start(String name, Runnable client) {
      return sim.env().tasks().start(name, client);
    }

    /** Three clients do the same beside each other. */
    void join(Runnable client) {
      List<Task> clients = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        clients.add(start("client " + i, client));
      }
      clients.forEach(Task::join);
    }

    StallLog.Totals stalls(StallCause cause) {
      return engine.statistics().stalls().totals().get(cause);
    }

    /** Starts a writer of {@link #SLOW_RECORD}, and returns when it has the lock of the key. */
    Task beginSlowWrite(Dataset orders, boolean[] begun) {
      Task slow = start("slow", () -> orders.upsert(KEY, SLOW_RECORD));
      while (!begun[0]) {
        sim.env().waiter().pause(1_000_000);
      }
      return slow;
    }

    /** An index that takes long for {@link #SLOW_RECORD}, and says that it has begun. */
    IndexDefinition slowIndex(boolean[] begun) {
      return IndexDefinition.of(
          "slow",
          "waits",
          (record, keys) -> {
            if (record.bytes()[0] == SLOW_RECORD[0] && !begun[0]) {
              begun[0] = true;
              sim.env().waiter().pause(SLOW_NANOS);
            }
          });
    }
  }

  @Test
  void aWaitForAKeyEndsAtTheDeadline() {
    World.each(
        CALM,
        world -> {
          boolean[] begun = new boolean[1];
          Dataset first = world.create("first");
          Dataset orders = world.create(Orders.NAME, world.slowIndex(begun));
          Task slow = world.beginSlowWrite(orders, begun);
          requireTooLate(world, () -> orders.upsert(KEY, RECORD, IN_A_SECOND));
          DatasetBatch batch = new DatasetBatch().upsert(first, KEY, RECORD);
          for (int i = 0; i < 5; i++) {
            batch.upsert(orders, bytes("k" + i), RECORD);
          }
          batch.upsert(orders, KEY, RECORD);
          requireTooLate(world, () -> world.engine.datasets().write(batch, IN_A_SECOND));
          assertThat(first.get(KEY)).isNull();
          first.upsert(KEY, RECORD, AT_ONCE);
          for (int i = 0; i < 5; i++) {
            assertThat(orders.get(bytes("k" + i))).isNull();
            orders.upsert(bytes("k" + i), RECORD, AT_ONCE);
          }
          assertThat(world.stalls(StallCause.KEY_LOCK).nanos())
              .isBetween(1_990_000_000L, 2_100_000_000L);
          slow.join();
          assertThat(orders.get(KEY)).isEqualTo(SLOW_RECORD);
        });
  }

  /** The drop waits for the slow writer, and the others for the drop. */
  @Test
  void aWaitForADropEndsAtTheDeadline() {
    World.each(
        CALM,
        world -> {
          boolean[] begun = new boolean[1];
          Dataset orders = world.create(Orders.NAME, world.slowIndex(begun), Orders.BY_COUNTRY);
          Dataset other = world.create("other");
          Task slow = world.beginSlowWrite(orders, begun);
          Task drop = world.start("drop", () -> orders.dropIndex("country"));
          world.sim.env().waiter().pause(1_000_000_000);
          requireTooLate(world, () -> orders.upsert(bytes("k0"), RECORD, IN_A_SECOND));
          DatasetBatch batch =
              new DatasetBatch().upsert(other, KEY, RECORD).upsert(orders, bytes("k0"), RECORD);
          requireTooLate(world, () -> world.engine.datasets().write(batch, IN_A_SECOND));
          assertThat(orders.get(bytes("k0"))).isNull();
          other.upsert(KEY, RECORD, AT_ONCE);
          assertThat(world.stalls(StallCause.KEY_LOCK).nanos())
              .isBetween(1_990_000_000L, 2_100_000_000L);
          slow.join();
          drop.join();
          orders.upsert(bytes("k0"), RECORD, AT_ONCE);
          assertThat(orders.get(KEY)).isEqualTo(SLOW_RECORD);
        });
  }

  @Test
  void aWriterHasItsTurnBeforeItLocksTheKey() {
    World.each(
        LIMITED,
        world -> {
          Dataset orders = world.create(Orders.NAME);
          long nanos =
              world.nanosOf(
                  () ->
                      world.join(
                          () -> {
                            for (int i = 0; i < 5; i++) {
                              orders.upsert(KEY, LARGE_RECORD);
                            }
                          }));
          // What the last one of each writes is paid for by the writes after it.
          assertThat(nanos).isBetween(1_100_000_000L, 1_600_000_000L);
          assertThat(world.stalls(StallCause.KEY_LOCK).nanos())
              .isLessThan(world.stalls(StallCause.WRITE_CONTROL).nanos() / 20);
        });
  }

  @Test
  void whatIsNotWrittenTakesNoTurn() {
    World.each(
        LIMITED,
        world -> {
          Dataset orders = world.create(Orders.NAME);
          orders.upsert(KEY, RECORD);
          long nanos =
              world.nanosOf(
                  () -> {
                    for (int i = 0; i < 5; i++) {
                      assertThat(orders.insert(KEY, LARGE_RECORD)).isFalse();
                    }
                  });
          assertThat(nanos).isLessThan(50_000_000L);
        });
  }

  @Test
  void aBatchTakesOneTurnOfEachTree() {
    World.each(
        LIMITED,
        world -> {
          Dataset orders = world.create(Orders.NAME, Orders.BY_COUNTRY);
          DatasetBatch batch = new DatasetBatch();
          for (int i = 0; i < BATCH; i++) {
            batch.upsert(orders, bytes("k" + i), Arrays.copyOf(LARGE_RECORD, 10_000));
          }
          world.engine.datasets().write(batch);
          assertThat(world.nanosOf(() -> orders.upsert(KEY, RECORD)))
              .isBetween(50_000_000L, 150_000_000L);
        });
  }

  /** The writer waits for write memory, and has the lock of a key. */
  @Test
  void aDatasetThatIsOpenIsOpenedOnceMoreWhileAWriterWaits() {
    World.each(
        CALM,
        world -> {
          Dataset orders = world.create(Orders.NAME, Orders.BY_COUNTRY);
          world
              .sim
              .faults()
              .add(
                  Fault.of(FaultEffect.IO_ERROR)
                      .on(IoKind.WRITE)
                      .onPath(path -> path.toString().endsWith(".sst"))
                      .asSticky());
          Task writer = world.start("writer", () -> upsertMoreThanMemory(orders));
          while (world.stalls(StallCause.WRITE_MEMORY_FULL).activeCount() == 0) {
            world.sim.env().waiter().pause(1_000_000);
          }
          Task mender =
              world.start(
                  "mender",
                  () -> {
                    world.sim.env().waiter().pause(SLOW_NANOS);
                    world.sim.faults().clear();
                  });
          Datasets all = world.engine.datasets();
          long nanos =
              world.nanosOf(() -> all.open(Orders.NAME, Orders.RULE, List.of(Orders.BY_COUNTRY)));
          mender.join();
          writer.join();
          assertThat(nanos).isLessThan(1_000_000_000);
        });
  }

  private static void upsertMoreThanMemory(Dataset orders) {
    for (int i = 0; i < 200; i++) {
      orders.upsert(bytes("k" + i), LARGE_RECORD);
    }
  }

  private static void requireTooLate(World world, Runnable write) {
    long nanos =
        world.nanosOf(
            () ->
                assertThatThrownBy(write::run)
                    .isInstanceOf(DeadlineException.class)
                    .hasMessageContaining("the write to dataset 'orders' was not admitted")
                    .hasMessageContaining("KEY_LOCK; nothing was written"));
    assertThat(nanos).isBetween(1_000_000_000L, 1_100_000_000L);
  }
}
