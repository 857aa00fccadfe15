package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.config.MergeScheduling;
import org.loam.common.config.WriteConstraint;
import org.loam.common.config.WriteScheme;
import org.loam.common.config.WriteSlowdown;
import org.loam.common.env.TaskRunner;
import org.loam.common.sim.Simulation;
import org.loam.log.CommitLog;
import org.loam.lsm.LsmTree;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;

/** Clients that write without pause: what they wait for is on its way. */
@Tag("once")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WritersWaitTest {
  private static final int CLIENTS = 3;
  private static final int WRITES = 500;
  private static final int VALUE_BYTES = 3_000;
  private static final int KEYS = 4_000;

  /** Of a shorter log nothing is flushed for its sake alone. */
  private static final double SHORT_RATIO = 0.8;

  /** Longer than it takes a writer that waits for the log to have more flushed. */
  private static final long LOOK_NANOS = 12_000_000;

  /** Flushes and merges are slower than the clients. */
  private static EngineConfigBuilder slow() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeInitialBytes(1 << 20)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(16 << 20)
        .sstableBytes(256 << 10)
        .ioLimitBytesPerSecond(2 << 20);
  }

  private static EngineConfig any(Random random) {
    int minMerge = 1 + random.nextInt(4);
    return slow()
        .writeScheme(any(random, WriteScheme.values()))
        .writeControl(any(random, WriteSlowdown.values()))
        .mergeScheduler(any(random, MergeScheduling.values()))
        .l0MinMerge(minMerge)
        .l0Stop(minMerge + 1 + random.nextInt(5))
        .writeInitialBytes(512L << 10 << random.nextInt(3))
        .logMaxBytes(256L << 10 << random.nextInt(4))
        .flushThreads(1 + random.nextInt(2))
        .mergeThreads(1 + random.nextInt(2))
        .writeConstraint(any(random, WriteConstraint.values()))
        .build();
  }

  /**
   * Small seeds as they are would draw nearly the same first numbers, and l0.minMerge was always 3.
   */
  private static Random random(long seed) {
    return new Random(seed * 0x9e3779b97f4a7c15L);
  }

  private static <T> T any(Random random, T[] values) {
    return values[random.nextInt(values.length)];
  }

  /** A wait that lasts longer than a look has a flush or a merge that goes on. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void whatWritersWaitForIsOnItsWay(long seed) {
    run(seed, any(random(seed)));
  }

  /**
   * The depth of the whole tree stops writers before that of L0 does only where L0 is due at a
   * small depth and its own stop is far away. That is so in none of the configurations that are
   * drawn.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void whatRelievesADeepTreeIsOnItsWay(long seed) {
    EngineConfig config =
        any(random(seed)).toBuilder()
            .writeScheme(WriteScheme.DYNAMIC)
            .writeControl(WriteSlowdown.STOP)
            .writeConstraint(WriteConstraint.TREE)
            .writeInitialBytes(512 << 10)
            .l0MinMerge(1)
            .l0ScanFreeRatio(1)
            .l0Stop(24)
            .build();
    var stalls = run(seed, config);
    assertThat(stalls.get(StallCause.COMPONENT_CONSTRAINT).count()).as("%s", config).isPositive();
  }

  /** Gives what is on record of the waits. */
  private static Map<StallCause, StallLog.Totals> run(long seed, EngineConfig config) {
    Map<StallCause, StallLog.Totals> stalls = new EnumMap<>(StallCause.class);
    try (Simulation sim = Simulation.seeded(seed)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
              List<TaskRunner.Task> clients = startClients(sim, engine);
              AtomicLong running = new AtomicLong(CLIENTS);
              Runnable watch = () -> watch(sim, engine, running, config.toString());
              TaskRunner.Task watcher = sim.env().tasks().start("watcher", watch);
              clients.forEach(
                  client -> {
                    client.join();
                    running.decrementAndGet();
                  });
              watcher.join();
              stalls.putAll(engine.statistics().stalls().totals());
            }
          });
    }
    return stalls;
  }

  private static void watch(Simulation sim, Engine engine, AtomicLong running, String config) {
    Look before = Look.at(engine);
    while (running.get() > 0) {
      sim.env().waiter().pause(LOOK_NANOS);
      Look now = Look.at(engine);
      if (now.isSameWait(before)) {
        assertThat(now.hasRelief() || before.hasRelief() || !now.done().equals(before.done()))
            .as("%s since %s, %s", now, before, config)
            .isTrue();
      }
      before = now;
    }
  }

  /**
   * The work at a moment.
   *
   * @param active waits that go on
   * @param ended waits that have ended
   * @param frozen whether there is something to flush
   * @param merges that are open
   * @param waitsForSegment whether the log is short, so that it makes its next segment
   * @param done what flushes, merges and the truncation of the log have done so far
   */
  private record Look(
      long active,
      long ended,
      boolean frozen,
      int merges,
      boolean waitsForSegment,
      List<Long> done) {
    static Look at(Engine engine) {
      var statistics = engine.statistics();
      var work = statistics.work();
      long active = 0;
      long all = 0;
      for (StallCause cause : StallCause.values()) {
        // Of paced writes only the sums are on record, when they have ended.
        if (cause != StallCause.WRITE_CONTROL) {
          StallLog.Totals totals = statistics.stalls().totals().get(cause);
          active += totals.activeCount();
          all += totals.count();
        }
      }
      long logWaits = statistics.stalls().totals().get(StallCause.LOG_FULL).activeCount();
      CommitLog log = engine.open().storage().log();
      boolean isShort = log.lengthBytes() < SHORT_RATIO * engine.config().log().maxBytes();
      return new Look(
          active,
          all - active,
          engine.open().trees().list().stream().anyMatch(LsmTree::hasFrozen),
          work.openMerges(),
          logWaits > 0 && isShort && log.segmentFault() == null,
          List.of(work.flushes(), work.merges(), log.truncationLsn()));
    }

    boolean isSameWait(Look before) {
      return active > 0 && before.active > 0 && ended == before.ended;
    }

    boolean hasRelief() {
      return frozen || merges > 0 || waitsForSegment;
    }
  }

  /** Each client writes to a tree of its own and to one that all have. */
  private static List<TaskRunner.Task> startClients(Simulation sim, Engine engine) {
    Tree shared = engine.createTree("shared");
    List<TaskRunner.Task> clients = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      Tree own = engine.createTree("own " + client);
      Random random = new Random(client);
      Runnable work =
          () -> {
            for (int i = 0; i < WRITES; i++) {
              Tree tree = random.nextInt(4) == 0 ? own : shared;
              tree.put(
                  Integer.toString(random.nextInt(KEYS)).getBytes(UTF_8), new byte[VALUE_BYTES]);
            }
          };
      clients.add(sim.env().tasks().start("client " + client, work));
    }
    return clients;
  }
}
