package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteScheme;
import org.loam.common.env.TaskRunner;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.EngineStatistics.Memory;
import org.loam.engine.memory.MemoryArbiter;
import org.loam.engine.notify.RecordedEvents;
import org.loam.engine.open.SmallEngine;
import org.loam.engine.report.EventListener;
import org.loam.lsm.FlushCause;
import org.loam.scheduler.work.StallCause;

/** Memory moves between write memory and buffer cache while an engine is in use. */
@Tag("once")
class MemoryMoveTest {
  private static final long MIB = 1 << 20;
  private static final long SECOND = 1_000_000_000;
  private static final int KEYS = 4000;

  private final RecordedEvents events = new RecordedEvents();

  private static EngineConfigBuilder config() {
    return SmallEngine.calm()
        .logSegmentBytes(256 << 10)
        .logMaxBytes(64 << 20)
        .tunerMode(TunerMode.FROZEN)
        .mergeThreads(1);
  }

  private void inEngine(long seed, EngineConfig config, BiConsumer<Simulation, Engine> work) {
    try (Simulation sim = Simulation.seeded(seed)) {
      assertThat(
              sim.run(
                  () -> {
                    try (Engine engine =
                        Engine.open(
                            sim.env(),
                            sim.directory(),
                            config,
                            OpenOptions.DEFAULT.withListener(events))) {
                      work.accept(sim, engine);
                    }
                  }))
          .isTrue();
      assertThat(sim.liveBytes()).as("off-heap bytes left").isZero();
    }
  }

  private static byte[] key(int i) {
    return ("key" + i * 7919 % KEYS).getBytes(UTF_8);
  }

  private static Memory memory(Engine engine) {
    return engine.statistics().memory();
  }

  private static MemoryArbiter arbiter(Engine engine) {
    return engine.open().memory().arbiter();
  }

  private static void move(Simulation sim, Engine engine, long bytes) {
    engine.open().memoryMoves().setTarget(bytes, () -> true);
    awaitSize(sim, engine, bytes);
  }

  private static void awaitSize(Simulation sim, Engine engine, long bytes) {
    for (int i = 0; arbiter(engine).ownBytes() != bytes; i++) {
      assertThat(i).as("ms for a move to %d bytes", bytes).isLessThan(60_000);
      sim.env().waiter().pause(SECOND / 1000);
    }
  }

  private static void settled(Engine engine, long bytes, Memory before) {
    Memory after = memory(engine);
    assertThat(after.writeTargetBytes()).isEqualTo(bytes);
    assertThat(after.writeTargetBytes() + after.cacheTargetBytes())
        .isEqualTo(before.writeTargetBytes() + before.cacheTargetBytes());
  }

  @Test
  void whatFollowsFromTheSizeOfWriteMemoryFollowsItsTarget() {
    inEngine(
        1,
        config().writeScheme(WriteScheme.DYNAMIC).build(),
        (sim, engine) -> {
          Memory before = memory(engine);
          Tree tree = engine.createTree("t");
          move(sim, engine, 16 * MIB);
          settled(engine, 16 * MIB, before);
          // The first flush is of a component with half of write memory.
          for (int i = 0; i < KEYS; i++) {
            tree.put(key(i), new byte[1000]);
          }
          assertThat(engine.statistics().work().flushes()).isZero();
          assertThat(memory(engine).writeUsedBytes()).isGreaterThan(4 * MIB);
          move(sim, engine, 2 * MIB);
          settled(engine, 2 * MIB, before);
          assertThat(engine.statistics().work().flushes()).isPositive();
          assertThat(events.all(EventListener.FlushBegun.class))
              .extracting(EventListener.FlushBegun::cause)
              .containsOnly(FlushCause.TUNER);
          for (int i = 0; i < KEYS; i++) {
            assertThat(tree.get(key(i))).hasSize(1000);
          }
        });
  }

  @Test
  void theCacheGivesPagesUpAndTakesThemBack() {
    inEngine(
        1,
        config().build(),
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          for (int i = 0; i < 6 * KEYS; i++) {
            tree.put(("key" + i).getBytes(UTF_8), new byte[1500]);
          }
          tree.compact();
          Runnable reads =
              () -> {
                for (int i = 0; i < 12 * KEYS; i++) {
                  assertThat(tree.get(("key" + i * 17 % (6 * KEYS)).getBytes(UTF_8))).isNotNull();
                }
              };
          move(sim, engine, arbiter(engine).leastBytes());
          reads.run();
          long full = memory(engine).cacheUsedBytes();
          assertThat(full).isGreaterThan(32 * MIB);
          move(sim, engine, 24 * MIB);
          assertThat(memory(engine).cacheUsedBytes()).isLessThan(full - 8 * MIB);
          move(sim, engine, arbiter(engine).leastBytes());
          reads.run();
          assertThat(memory(engine).cacheUsedBytes()).isGreaterThan(32 * MIB);
        });
  }

  /** As large as it may be at open, and at the least target. */
  @Test
  void theLargestBatchFitsAtTheLeastTarget() {
    inEngine(
        1,
        config().logSegmentBytes(1 << 20).build(),
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          assertThatThrownBy(() -> tree.put(key(0), new byte[(256 << 10) + 1]))
              .hasMessageContaining("must be at most 262144");
          byte[] largest = new byte[(256 << 10) - 100];
          tree.put(key(0), largest);
          for (int i = 0; i < 1500; i++) {
            tree.put(key(i), new byte[1000]);
          }
          move(sim, engine, arbiter(engine).leastBytes());
          for (int i = 0; i < 10; i++) {
            tree.put(key(0), largest);
          }
          long least = arbiter(engine).leastBytes();
          assertThatThrownBy(() -> engine.open().memoryMoves().setTarget(least - 1, () -> true))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("must be in 256KiB .. ");
        });
  }

  /**
   * From seven tenths of the memory to the least size, which no batch of the largest size would
   * fit, and back: batches that were legal at open stay so, and what the cache lends them goes
   * back.
   */
  @ParameterizedTest
  @EnumSource
  void batchesStayLegalAtTheLeastTargetThoughTheMostWasThereAtOpen(WriteScheme scheme) {
    inEngine(
        1,
        config().writeScheme(scheme).writeInitialBytes(44 << 20).logSegmentBytes(4 << 20).build(),
        (sim, engine) -> {
          Memory before = memory(engine);
          List<Tree> trees = List.of(engine.createTree("a"), engine.createTree("b"));
          long least = arbiter(engine).leastBytes();
          assertThat(least).isEqualTo(64 * 4096);
          move(sim, engine, least);
          assertThat(engine.statistics().work().flushes()).isZero();
          WriteBatch batch = new WriteBatch();
          for (int i = 0; i < 900; i++) {
            batch.put(trees.get(i % 2), key(i), new byte[1000]);
          }
          engine.write(batch);
          assertThat(stalls(engine)).as("waits").isZero();
          AtomicBoolean done = new AtomicBoolean();
          List<TaskRunner.Task> writers = new ArrayList<>();
          for (Tree tree : trees) {
            writers.add(
                sim.env()
                    .tasks()
                    .start(
                        "writer of " + tree,
                        () -> {
                          for (int i = 0; !done.get(); i++) {
                            tree.put(key(i), new byte[1000]);
                            sim.env().waiter().pause(SECOND / 500);
                          }
                        }));
          }
          for (int round = 0; round < 2; round++) {
            trees.get(0).put(key(round), new byte[1_000_000]);
            engine.write(batch);
            move(sim, engine, 44 * MIB);
            move(sim, engine, least);
          }
          engine.write(batch);
          done.set(true);
          writers.forEach(TaskRunner.Task::join);
          engine.flush();
          assertThat(arbiter(engine).lent()).isZero();
          settled(engine, least, before);
          for (int i = 0; i < 900; i++) {
            assertThat(trees.get(i % 2).get(key(i))).hasSize(1000);
          }
        });
  }

  /** What cannot be had is refused with the rule, in a running engine and at open. */
  @Test
  void aTargetOfTheSettingsIsReachedOrRefused() {
    inEngine(
        1,
        config().writeTargetBytes(12 * MIB).build(),
        (sim, engine) -> {
          awaitSize(sim, engine, 12 * MIB);
          assertThatThrownBy(() -> engine.configure("write.targetBytes", "63MiB"))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("write.targetBytes: 63MiB, must be in 256KiB .. ");
          assertThat(engine.config().memory().writeTargetBytes()).isEqualTo(12 * MIB);
          assertThat(arbiter(engine).targetBytes()).isEqualTo(12 * MIB);
        });
    assertThatThrownBy(
            () -> inEngine(1, config().writeTargetBytes(63 * MIB).build(), (sim, engine) -> {}))
        .hasStackTraceContaining("write.targetBytes: 63MiB, must be in ");
  }

  /** The next one would have fewer buffers for merges, and so a larger pool. */
  @Test
  void aTargetThatOnlyTheNextEngineCouldReachIsRefused() {
    inEngine(
        1,
        config().l0Stop(60).build(),
        (sim, engine) -> {
          engine.configure("l0.stop", "12");
          long above = arbiter(engine).mostBytes() + MIB;
          assertThatThrownBy(() -> engine.configure("write.targetBytes", above + "B"))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("write.targetBytes: ")
              .hasMessageContaining(", which leaves the buffer cache 256 pages");
          assertThat(engine.config().memory().writeTargetBytes()).isZero();
        });
  }

  /** Four seconds after a change a move is under way, which takes half a minute. */
  private void staysInAMove(EngineConfigBuilder before, String move, String end) {
    inEngine(
        1,
        before.writeInitialBytes(24 << 20).ioLimitBytesPerSecond(1 << 20).build(),
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          for (int i = 0; i < 5 * KEYS; i++) {
            tree.put(("key" + i).getBytes(UTF_8), new byte[1000]);
          }
          configure(engine, move);
          sim.env().waiter().pause(4 * SECOND);
          configure(engine, end);
          long kept = arbiter(engine).targetBytes();
          assertThat(kept).isBetween(2 * MIB, 24 * MIB - 1);
          assertThat(arbiter(engine).ownBytes()).isEqualTo(kept);
          assertThat(memory(engine).writeTargetBytes()).isEqualTo(kept);
          engine.flush();
          sim.env().waiter().pause(SECOND);
          assertThat(arbiter(engine).ownBytes()).isEqualTo(kept);
          assertThat(memory(engine).writeTargetBytes()).isEqualTo(kept);
        });
  }

  private static void configure(Engine engine, String setting) {
    if (setting.isEmpty()) {
      engine.open().memoryMoves().setTarget(MIB, () -> true);
      return;
    }
    String[] parts = setting.split("=", 2);
    engine.configure(parts[0], parts[1]);
  }

  @ParameterizedTest
  @ValueSource(strings = {"FROZEN", "OBSERVE"})
  void aTunerThatMayMoveNothingAnyMoreEndsItsMove(String mode) {
    EngineConfigBuilder calm =
        config().tunerMode(TunerMode.ADAPTIVE).tunerCycleBytes(1L << 40).tunerCycleSeconds(86_400);
    staysInAMove(calm, "", "tuner.mode=" + mode);
  }

  @Test
  void aSettingThatStatesNoSizeAnyMoreEndsItsMove() {
    staysInAMove(config(), "write.targetBytes=1MiB", "write.targetBytes=0");
  }

  /** Write memory goes from one size to another, 32 to 1, and levels are sized for either. */
  @ParameterizedTest
  @EnumSource
  void settingsThatChangeUnderLoadLoseNothing(WriteScheme scheme) {
    EngineConfig config =
        config().writeScheme(scheme).levelRatio(2).l0MinMerge(2).sstableBytes(128 << 10).build();
    int[] last = new int[KEYS];
    inEngine(
        5,
        config,
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          AtomicBoolean done = new AtomicBoolean();
          var client =
              sim.env()
                  .tasks()
                  .start(
                      "client",
                      () -> {
                        for (int i = 0; !done.get(); i++) {
                          int key = i * 7919 % KEYS;
                          last[key] = 500 + i % 1000;
                          tree.put(key(i), new byte[last[key]]);
                          int read = (i * 31 + 7) % KEYS;
                          byte[] found = tree.get(("key" + read).getBytes(UTF_8));
                          assertThat(found == null ? 0 : found.length).isEqualTo(last[read]);
                          sim.env().waiter().pause(SECOND / 20_000);
                        }
                      });
          for (int round = 0; round < 4; round++) {
            for (long bytes : new long[] {16 * MIB, MIB / 2}) {
              engine.configure("disk.sizedForBytes", (round % 2 == 0 ? bytes : 0) + "B");
              engine.configure("write.targetBytes", bytes + "B");
              awaitSize(sim, engine, bytes);
              sim.env().waiter().pause(SECOND / 4);
            }
          }
          done.set(true);
          client.join();
          assertThat(engine.statistics().work().merges()).isPositive();
          holds(engine, last);
          engine.close();
          try (Engine again = Engine.open(sim.env(), sim.directory(), config)) {
            holds(again, last);
          }
        });
  }

  private static long stalls(Engine engine) {
    return engine.statistics().stalls().totals().get(StallCause.WRITE_MEMORY_FULL).count();
  }

  private static void holds(Engine engine, int[] last) {
    for (int i = 0; i < KEYS; i++) {
      byte[] found = engine.tree("t").get(("key" + i).getBytes(UTF_8));
      assertThat(found == null ? 0 : found.length).as("key %d", i).isEqualTo(last[i]);
    }
    assertThat(engine.verify().isSound()).isTrue();
  }

  /** Writers with room before them: not one of them waits, wherever memory goes. */
  @ParameterizedTest
  @EnumSource
  void noWriterWaitsForAMove(WriteScheme scheme) {
    inEngine(
        3,
        config().writeScheme(scheme).writeInitialBytes(24 << 20).build(),
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          AtomicBoolean done = new AtomicBoolean();
          var writer =
              sim.env()
                  .tasks()
                  .start(
                      "writer",
                      () -> {
                        for (int i = 0; !done.get(); i++) {
                          tree.put(key(i), new byte[1000]);
                          sim.env().waiter().pause(SECOND / 20_000);
                        }
                      });
          for (int round = 0; round < 3; round++) {
            sim.env().waiter().pause(SECOND / 2);
            move(sim, engine, 6 * MIB);
            move(sim, engine, 36 * MIB);
          }
          done.set(true);
          writer.join();
          assertThat(waitedNanos(engine)).as("by cause").isEmpty();
        });
  }

  /** Causes for which a writer has waited at all, with the time of all writers. */
  private static Map<StallCause, Long> waitedNanos(Engine engine) {
    Map<StallCause, Long> waited = new EnumMap<>(StallCause.class);
    engine
        .statistics()
        .stalls()
        .totals()
        .forEach(
            (cause, totals) -> {
              if (totals.nanos() > 0) {
                waited.put(cause, totals.nanos());
              }
            });
    return waited;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void theBudgetHoldsWhileEverythingGoesOn(long seed) {
    EngineConfig config =
        config()
            .writeScheme(WriteScheme.values()[Math.floorMod(seed, WriteScheme.values().length)])
            .logMaxBytes(4 << 20)
            .l0MinMerge(2)
            .build();
    inEngine(
        seed,
        config,
        (sim, engine) -> {
          Random random = new Random(seed);
          Memory before = memory(engine);
          Tree tree = engine.createTree("t");
          int[] last = new int[KEYS];
          AtomicBoolean done = new AtomicBoolean();
          var mover =
              sim.env()
                  .tasks()
                  .start(
                      "mover",
                      () -> {
                        while (!done.get()) {
                          long least = arbiter(engine).leastBytes();
                          engine
                              .open()
                              .memoryMoves()
                              .setTarget(least + random.nextInt(30 << 20), () -> true);
                          sim.env().waiter().pause(random.nextInt((int) SECOND / 100));
                          Memory now = memory(engine);
                          assertThat(now.usedBytes()).isLessThanOrEqualTo(now.totalBytes());
                        }
                      });
          for (int i = 0; i < 3 * KEYS; i++) {
            tree.put(key(i), new byte[500 + i % 1000]);
            last[i * 7919 % KEYS] = 500 + i % 1000;
            if (i % 5 == 0) {
              int read = random.nextInt(KEYS);
              byte[] found = tree.get(("key" + read).getBytes(UTF_8));
              assertThat(found == null ? 0 : found.length).isEqualTo(last[read]);
            }
          }
          done.set(true);
          mover.join();
          move(sim, engine, 8 * MIB);
          settled(engine, 8 * MIB, before);
          for (int i = 0; i < KEYS; i++) {
            assertThat(tree.get(("key" + i).getBytes(UTF_8))).hasSize(last[i]);
          }
        });
  }

  /** A target is not kept: the next engine begins with what its configuration says. */
  @ParameterizedTest
  @EnumSource
  void aCrashInAMoveLosesNothing(CrashKind kind) {
    int crashes = 0;
    for (int call = 20; crashedAt(call, kind); call += 7) {
      crashes++;
    }
    assertThat(crashes).isGreaterThan(10);
  }

  private static boolean crashedAt(int call, CrashKind kind) {
    int[] acknowledged = new int[1];
    EngineConfig config = config().durability(Durability.SYNC).build();
    try (Simulation sim = Simulation.seeded(call)) {
      sim.crashAtCall(call, kind);
      Runnable life =
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
              Tree tree = engine.createTree("t");
              engine.open().memoryMoves().setTarget(24 * MIB, () -> true);
              for (int i = 0; i < 200; i++) {
                tree.put(key(i), new byte[8000]);
                acknowledged[0]++;
                if (i == 100) {
                  move(sim, engine, MIB);
                }
              }
            }
          };
      if (sim.run(life)) {
        return false;
      }
      assertThat(
              sim.run(
                  () -> {
                    try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
                      assertThat(arbiter(engine).targetBytes()).isEqualTo(4 * MIB);
                      for (int i = 0; i < acknowledged[0]; i++) {
                        assertThat(engine.tree("t").get(key(i))).as("key %d", i).hasSize(8000);
                      }
                    }
                  }))
          .isTrue();
      return true;
    } catch (Throwable t) {
      throw new AssertionError(kind + " at call " + call, t);
    }
  }

  @Test
  void anEngineMayCloseInAMove() {
    inEngine(
        2,
        config().ioLimitBytesPerSecond(1 << 20).build(),
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          for (int i = 0; i < 1500; i++) {
            tree.put(key(i), new byte[1000]);
          }
          engine.open().memoryMoves().setTarget(MIB, () -> true);
          sim.env().waiter().pause(SECOND / 100);
        });
  }
}
