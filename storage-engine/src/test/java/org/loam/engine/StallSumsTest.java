package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.engine.Orders.bytes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteConstraint;
import org.loam.common.config.WriteScheme;
import org.loam.common.config.WriteSlowdown;
import org.loam.common.env.TaskRunner;
import org.loam.common.sim.Simulation;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;

/**
 * What is on record of the waits of writers adds up to the time in which the writers cannot go on,
 * whatever they wait for. A simulation has one processor, which an I/O call keeps: how long a write
 * takes says less, since a writer that could go on does not while another thread reads or writes.
 */
@Tag("once")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StallSumsTest {
  private static final int CLIENTS = 3;
  private static final int WRITES = 120;
  private static final int VALUE_BYTES = 30_000;
  private static final int KEYS = 3_000;

  /** Larger: of many records with one key a flush writes the last one alone. */
  private static final byte[] RECORD = bytes("NO;1;red;" + "x".repeat(2 * VALUE_BYTES));

  private static final long SLOW_NANOS = 20_000_000_000L;
  private static final long REST_NANOS = 300_000_000;

  private static EngineConfigBuilder calm() {
    return EngineConfig.builder()
        .memoryTotalBytes(128 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeInitialBytes(32 << 20)
        .writeScheme(WriteScheme.DYNAMIC)
        .writeControl(WriteSlowdown.STOP)
        .logSegmentBytes(256 << 10)
        .logMaxBytes(64 << 20)
        .sstableBytes(256 << 10)
        .l0MinMerge(18)
        .l0ScanFreeRatio(1)
        .l0Stop(24)
        .ioLimitBytesPerSecond(1 << 20)
        .tunerMode(TunerMode.FROZEN);
  }

  /** A load whose writers wait for a cause, and perhaps for others. */
  private enum Load {
    MEMORY(StallCause.WRITE_MEMORY_FULL, calm().writeInitialBytes(1 << 20)),
    LOG(StallCause.LOG_FULL, calm().logMaxBytes(2 << 20)),
    DEPTH(StallCause.L0_STOP, calm().writeInitialBytes(4 << 20).l0MinMerge(1).l0Stop(2)),
    DEPTH_ALONE(
        StallCause.L0_STOP,
        calm().writeInitialBytes(4 << 20).l0MinMerge(1).l0Stop(2),
        World::putsWithRests),
    BYTES(StallCause.L0_STOP, calm().writeInitialBytes(1 << 20).levelRatio(2).l0StopRatio(1)),
    RUNS(
        StallCause.COMPONENT_CONSTRAINT,
        calm().writeInitialBytes(4 << 20).l0MinMerge(1).writeConstraint(WriteConstraint.TREE)),
    PACE(
        StallCause.WRITE_CONTROL,
        calm().writeInitialBytes(2 << 20).l0MinMerge(2).l0Stop(8).writeControl(WriteSlowdown.PACE)),
    LIMIT(
        StallCause.WRITE_CONTROL,
        calm().writeControl(WriteSlowdown.LIMIT).writeLimitBytesPerSecond(1 << 20)),
    ONE_KEY(StallCause.KEY_LOCK, calm().writeInitialBytes(1 << 20), World::upsertsThatGrow),
    ONE_KEY_PACED(
        StallCause.WRITE_CONTROL,
        calm().writeControl(WriteSlowdown.LIMIT).writeLimitBytesPerSecond(1 << 20),
        World::upsertsOfOneKey),
    KEY(StallCause.KEY_LOCK, calm(), World::upsertsBesideAnotherOfTheKey),
    INDEX(StallCause.INDEX_BUILD, calm(), World::upsertsBesideABuild);

    final StallCause cause;
    final EngineConfig config;
    final Consumer<World> writes;

    Load(StallCause cause, EngineConfigBuilder config) {
      this(cause, config, World::puts);
    }

    Load(StallCause cause, EngineConfigBuilder config, Consumer<World> writes) {
      this.cause = cause;
      this.config = config.build();
      this.writes = writes;
    }

    /** Whether writers wait for nothing but the cause. */
    boolean isOfOneCause() {
      return switch (this) {
        case MEMORY, LOG, DEPTH_ALONE, LIMIT, ONE_KEY_PACED, KEY, INDEX -> true;
        case DEPTH, BYTES, RUNS, PACE, ONE_KEY -> false;
      };
    }
  }

  /** An engine whose clients measure how long they wait in their writes. */
  private static final class World {
    private final Simulation sim;
    private final Engine engine;
    private long waitedNanos;
    private long restNanos;

    World(Simulation sim, Engine engine) {
      this.sim = sim;
      this.engine = engine;
    }

    /** Clients that write to random keys, and rest between writes; ends when they have. */
    void write(int writesOfEach, int keys, Consumer<byte[]> write) {
      List<TaskRunner.Task> clients = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        Random random = new Random(client);
        Runnable work =
            () -> {
              for (int i = 0; i < writesOfEach; i++) {
                byte[] key = Integer.toString(random.nextInt(keys)).getBytes(UTF_8);
                long before = sim.waitedNanos();
                write.accept(key);
                waitedNanos += sim.waitedNanos() - before;
                if (restNanos > 0) {
                  sim.env().waiter().pause(restNanos);
                }
              }
            };
        clients.add(sim.env().tasks().start("client " + client, work));
      }
      clients.forEach(TaskRunner.Task::join);
    }

    void puts() {
      Tree tree = engine.createTree("t");
      write(WRITES, KEYS, key -> tree.put(key, new byte[VALUE_BYTES]));
    }

    void upsertsOfOneKey() {
      Dataset orders = engine.datasets().create(Orders.NAME, Orders.RULE, List.of());
      write(WRITES, 1, key -> orders.upsert(key, RECORD));
    }

    /** Of one key; a record does not fit where an earlier one was, so that memory gets short. */
    void upsertsThatGrow() {
      Dataset orders = engine.datasets().create(Orders.NAME, Orders.RULE, List.of());
      StringBuilder grown = new StringBuilder(new String(RECORD, UTF_8));
      write(WRITES, 1, key -> orders.upsert(key, bytes(grown.append("12345678").toString())));
    }

    void upsertsBesideABuild() {
      Dataset orders = engine.datasets().create(Orders.NAME, Orders.RULE, List.of());
      orders.upsert(bytes("first"), RECORD);
      boolean[] begun = new boolean[1];
      IndexDefinition slow = slowIndex(begun);
      upsertsBeside(() -> orders.createIndex(slow), begun, KEYS, orders);
    }

    void upsertsBesideAnotherOfTheKey() {
      boolean[] begun = new boolean[1];
      List<IndexDefinition> slow = List.of(slowIndex(begun));
      Dataset orders = engine.datasets().create(Orders.NAME, Orders.RULE, slow);
      upsertsBeside(() -> orders.upsert(bytes("0"), RECORD), begun, 1, orders);
    }

    /** An index that takes long for one record, and says that it has begun. */
    private IndexDefinition slowIndex(boolean[] begun) {
      return IndexDefinition.of(
          "slow",
          "waits",
          (record, keys) -> {
            if (!begun[0]) {
              begun[0] = true;
              sim.env().waiter().pause(SLOW_NANOS);
            }
          });
    }

    private void upsertsBeside(Runnable other, boolean[] begun, int keys, Dataset orders) {
      TaskRunner.Task slow = sim.env().tasks().start("slow", other);
      while (!begun[0]) {
        sim.env().waiter().pause(1_000_000);
      }
      write(2, keys, key -> orders.upsert(key, RECORD));
      slow.join();
    }

    /** Slower than flushes, and faster than merges. */
    void putsWithRests() {
      restNanos = REST_NANOS;
      puts();
    }
  }

  /** How long writers waited, and what is on record of it. */
  private record Outcome(long waitedNanos, Map<StallCause, StallLog.Totals> stalls) {
    static Outcome of(long seed, EngineConfig config, Consumer<World> writes) {
      Outcome[] outcome = new Outcome[1];
      try (Simulation sim = Simulation.seeded(seed)) {
        sim.run(
            () -> {
              try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
                World world = new World(sim, engine);
                writes.accept(world);
                outcome[0] = new Outcome(world.waitedNanos, engine.statistics().stalls().totals());
              }
            });
      }
      return outcome[0];
    }

    long recordedNanos() {
      return stalls.values().stream().mapToLong(StallLog.Totals::nanos).sum();
    }
  }

  @ParameterizedTest
  @EnumSource(Load.class)
  void causesAddUpToTheTimeThatWritersWait(Load load) {
    for (long seed = 1; seed <= 3; seed++) {
      Outcome outcome = Outcome.of(seed, load.config, load.writes);
      long waited = outcome.waitedNanos;
      String what = "seed " + seed + ", " + waited + " ns in all: " + outcome.stalls;
      assertThat((double) outcome.recordedNanos() / waited).as(what).isBetween(0.95, 1.05);
      // Or its record could be missing unnoticed, or be that of another cause.
      double part = (double) outcome.stalls.get(load.cause).nanos() / waited;
      assertThat(part).as(what).isBetween(load.isOfOneCause() ? 0.95 : 0.1, 1.05);
    }
  }
}
