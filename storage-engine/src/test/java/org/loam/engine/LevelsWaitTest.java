package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.config.WriteScheme;
import org.loam.common.env.HookedWaiter;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.TaskRunner;
import org.loam.common.env.Waiter;
import org.loam.common.error.ClosedException;
import org.loam.common.error.DeadlineException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Epochs;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Simulation;
import org.loam.engine.commit.CommitLatch;
import org.loam.engine.operation.OperationContext;
import org.loam.engine.operation.Operations;
import org.loam.lsm.LsmTree;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;

/**
 * Writers that wait for merges in memory with LEVELS: they do while merges go on, and never for a
 * merge that does not.
 */
@Tag("once")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(QuietLog.class)
class LevelsWaitTest {
  private static final int SEEDS = 3;
  private static final int CLIENTS = 3;
  private static final int VALUE_BYTES = 1000;

  /** Less than makes a flush due. */
  private static final int WRITES = 800;

  /** What a signal takes to arrive. */
  private static final long PROMPT_NANOS = 50_000_000;

  private static final long SECOND = 1_000_000_000;

  private static final Predicate<Path> LOG = path -> path.toString().endsWith(".seg");

  /** A run is full with 256 KiB. What is written while forces are slow fits into one segment. */
  private static EngineConfigBuilder levels() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeScheme(WriteScheme.LEVELS)
        .writeInitialBytes(4 << 20)
        .logSegmentBytes(2 << 20)
        .logMaxBytes(64 << 20);
  }

  private static Engine open(Simulation sim, EngineConfig config) {
    return open(sim, sim.env(), config);
  }

  private static Engine open(Simulation sim, StorageEnv env, EngineConfig config) {
    Engine engine = Engine.open(env, sim.directory(), config);
    engine.createTree("t");
    return engine;
  }

  private static LsmTree tree(Engine engine) {
    return engine.open().trees().list().get(0);
  }

  private static byte[] key(int i) {
    return ("key" + i * 7919L % 10_007).getBytes(UTF_8);
  }

  private static StallLog.Totals stalls(Engine engine) {
    return engine.open().writes().stalls().snapshot(0).totals().get(StallCause.WRITE_MEMORY_FULL);
  }

  /** A merge waits until what it merges is durable, which takes its time here. */
  @Test
  void writersWaitWhileMoreThanTwoRunsWait() {
    try (Simulation sim = Simulation.seeded(Simulation.CALM)) {
      sim.run(
          () -> {
            try (Engine engine = open(sim, levels().build())) {
              sim.disk().slowForces(LOG, PROMPT_NANOS);
              int[] most = new int[1];
              List<TaskRunner.Task> clients = new ArrayList<>();
              for (int client = 0; client < CLIENTS; client++) {
                int first = client;
                Runnable work =
                    () -> {
                      for (int i = first; i < CLIENTS * WRITES; i += CLIENTS) {
                        engine.tree("t").put(key(i), new byte[VALUE_BYTES]);
                        most[0] = Math.max(most[0], tree(engine).waitingRuns());
                      }
                    };
                clients.add(sim.env().tasks().start("client " + client, work));
              }
              clients.forEach(TaskRunner.Task::join);
              assertThat(most[0]).isEqualTo(3);
              assertThat(stalls(engine).count()).isPositive();
              assertThat(engine.statistics().work().flushes()).isZero();
              for (int i = 0; i < CLIENTS * WRITES; i++) {
                assertThat(engine.tree("t").get(key(i))).hasSize(VALUE_BYTES);
              }
            }
          });
    }
  }

  // ---- What ends the wait.

  /**
   * A writer that waits for a merge, which waits for a force, and what happens then.
   *
   * @param expected what the writer is told; null if it goes on
   */
  private static void endTheWait(
      @Nullable Class<? extends StorageException> expected, BiConsumer<Simulation, Engine> end) {
    endTheWait(Simulation::env, expected, end);
  }

  /** The same of a writer that does not look again by itself: a signal has to end its wait. */
  private static void wakeTheWriter(
      Class<? extends StorageException> expected, BiConsumer<Simulation, Engine> end) {
    AtomicInteger waits = new AtomicInteger();
    endTheWait(sim -> withoutLooks(sim, waits), expected, end);
    assertThat(waits).hasPositiveValue();
  }

  private static StorageEnv withoutLooks(Simulation sim, AtomicInteger waits) {
    StorageEnv env = sim.env();
    Waiter waiter =
        new HookedWaiter(env.waiter()) {
          @Override
          protected long limit(String monitor, long nanos) {
            if (!monitor.equals("write memory")) {
              return nanos;
            }
            waits.incrementAndGet();
            return Long.MAX_VALUE;
          }
        };
    return new StorageEnv(env.files(), env.clock(), waiter, env.tasks(), env.random());
  }

  private static void endTheWait(
      Function<Simulation, StorageEnv> env,
      @Nullable Class<? extends StorageException> expected,
      BiConsumer<Simulation, Engine> end) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Engine[] engine = new Engine[1];
        sim.run(
            () -> {
              engine[0] = open(sim, env.apply(sim), levels().build());
              sim.disk().slowForces(LOG, 10 * SECOND);
            });
        AtomicReference<StorageException> told = new AtomicReference<>();
        long[] times = new long[2];
        sim.run(
            () -> {
              try {
                for (int i = 0; i < 1100; i++) {
                  engine[0].tree("t").put(key(i), new byte[VALUE_BYTES]);
                }
              } catch (StorageException e) {
                told.set(e);
              }
              times[1] = sim.env().clock().nanoTime();
            },
            () -> {
              awaitStall(sim, engine[0]);
              times[0] = sim.env().clock().nanoTime();
              end.accept(sim, engine[0]);
            });
        if (expected == null) {
          assertThat(told.get()).as("seed %d", seed).isNull();
        } else {
          assertThat(told.get()).as("seed %d", seed).isExactlyInstanceOf(expected);
        }
        assertThat(times[1] - times[0]).as("seed %d", seed).isLessThan(PROMPT_NANOS);
        assertThat(stalls(engine[0]).activeCount()).isZero();
        sim.disk().slowForces(path -> false, 0);
        sim.run(() -> closeQuietly(engine[0]));
      }
    }
  }

  private static void awaitStall(Simulation sim, Engine engine) {
    while (stalls(engine).activeCount() == 0) {
      sim.env().waiter().pause(1_000_000);
    }
    assertThat(tree(engine).waitingRuns()).isEqualTo(3);
    sim.env().waiter().pause(sim.env().random().nextInt(300_000_000));
  }

  private static void closeQuietly(Engine engine) {
    try {
      engine.close();
    } catch (StorageException e) {
      // Fenced, or closed before with a fault.
    }
  }

  /**
   * While an operation is inside, the close flushes nothing yet that would end the wait as well.
   */
  @Test
  void closingEndsTheWait() {
    wakeTheWriter(
        ClosedException.class,
        (sim, engine) -> {
          Operations operations = engine.open().reads().operations();
          OperationContext inside = operations.enter();
          TaskRunner.Task close = sim.env().tasks().start("close", () -> closeQuietly(engine));
          sim.env().waiter().pause(PROMPT_NANOS);
          operations.exit(inside);
          close.join();
        });
  }

  @Test
  void aFenceEndsTheWait() {
    wakeTheWriter(
        FencedException.class,
        (sim, engine) ->
            engine
                .open()
                .storage()
                .log()
                .fence(new StorageIoException("a force of the log failed")));
  }

  /** A drop marks the tree when the log is durable; this one fails then. */
  @Test
  void aDropEndsTheWait() {
    endTheWait(
        ClosedException.class,
        (sim, engine) -> {
          LsmTree tree = tree(engine);
          CommitLatch latch = engine.open().writes().latch();
          latch.underLatch(tree::markDropped);
          sim.env().waiter().pause(PROMPT_NANOS / 2);
          latch.underLatch(tree::unmarkDropped);
        });
  }

  @Test
  void anotherSchemeEndsTheWait() {
    endTheWait(
        null,
        (sim, engine) -> {
          engine.configure("write.scheme", "DYNAMIC");
          assertThat(tree(engine).waitingRuns()).as("runs that nothing merges").isZero();
        });
  }

  @Test
  void aFlushOfAllEndsTheWait() {
    endTheWait(
        null,
        (sim, engine) -> {
          TaskRunner.Task flush = sim.env().tasks().start("flush", engine::flush);
          sim.env().waiter().pause(PROMPT_NANOS / 2);
          assertThat(tree(engine).waitingRuns()).isLessThan(3);
          sim.disk().slowForces(path -> false, 0);
          flush.join();
        });
  }

  @Test
  void aDeadlineEndsTheWait() {
    try (Simulation sim = Simulation.seeded(Simulation.CALM)) {
      sim.run(
          () -> {
            try (Engine engine = open(sim, levels().build())) {
              sim.disk().slowForces(LOG, 10 * SECOND);
              WriteOptions soon = WriteOptions.DEFAULT.within(Duration.ofMillis(300));
              assertThatThrownBy(
                      () -> {
                        for (int i = 0; i < 1100; i++) {
                          engine.tree("t").put(key(i), new byte[VALUE_BYTES], soon);
                        }
                      })
                  .isExactlyInstanceOf(DeadlineException.class)
                  .hasMessageContaining("WRITE_MEMORY_FULL");
              sim.disk().slowForces(path -> false, 0);
              sim.env().waiter().pause(20 * SECOND);
              engine.tree("t").put(key(0), new byte[1], soon);
            }
          });
    }
  }

  // ---- Merges that do not go on.

  /** The process can have no thread for merges in memory. */
  private static StorageEnv withoutMerges(Simulation sim) {
    StorageEnv env = sim.env();
    TaskRunner few =
        (name, body) -> {
          if (name.equals("loam-memory-merge")) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          return env.tasks().start(name, body);
        };
    return new StorageEnv(env.files(), env.clock(), env.waiter(), few, env.random());
  }

  /** A tree of an engine whose runs are flushed as they are. */
  private static void inUnmergedTree(BiConsumer<Engine, Tree> test) {
    try (Simulation sim = Simulation.seeded(Simulation.CALM)) {
      sim.run(
          () -> {
            try (Engine engine =
                Engine.open(withoutMerges(sim), sim.directory(), levels().build())) {
              test.accept(engine, engine.createTree("t"));
            }
          });
    }
  }

  @Test
  void noWriterWaitsForMergesWithoutAThread() {
    inUnmergedTree(
        (engine, tree) -> {
          WriteOptions soon = WriteOptions.DEFAULT.within(Duration.ofSeconds(30));
          for (int i = 0; i < 10_000; i++) {
            tree.put(key(i), new byte[VALUE_BYTES], soon);
          }
          assertThat(tree(engine).isMergingMemory()).isFalse();
          assertThat(engine.statistics().work().flushes()).isPositive();
        });
  }

  /**
   * A reader that stays in memory keeps what flushes and merges give back. Writers get all but the
   * reserve, and wait for memory, not for merges; when the reader leaves, these go on by
   * themselves.
   */
  @Test
  void aMergeThatFindsNoMemoryIsTriedAgainWhenMemoryComesBack() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        sim.run(
            () -> {
              try (Engine engine = open(sim, levels().writeInitialBytes(1 << 20).build())) {
                Epochs epochs = engine.open().memory().memoryEpochs();
                int slot = epochs.enter();
                WriteOptions soon = WriteOptions.DEFAULT.within(Duration.ofMillis(300));
                assertThatThrownBy(
                        () -> {
                          for (int i = 0; i < 10_000; i++) {
                            engine.tree("t").put(key(i), new byte[VALUE_BYTES], soon);
                          }
                        })
                    .isExactlyInstanceOf(DeadlineException.class);
                sim.env().waiter().pause(SECOND);
                assertThat(tree(engine).isMergingMemory()).isFalse();
                assertThat(tree(engine).hasFrozen()).isFalse();
                int waiting = tree(engine).waitingRuns();
                epochs.exit(slot);
                epochs.collect();
                sim.env().waiter().pause(SECOND);
                assertThat(waiting).isPositive();
                assertThat(tree(engine).waitingRuns()).isZero();
                engine.tree("t").put(key(0), new byte[1], soon);
              }
            });
      }
    }
  }

  /** The last half of what flushes keep free, of which nothing comes back here. */
  @Test
  void writersLeaveAReserveForMerges() {
    inUnmergedTree(
        (engine, tree) -> {
          int slot = engine.open().memory().memoryEpochs().enter();
          WriteOptions soon = WriteOptions.DEFAULT.within(Duration.ofMillis(300));
          assertThatThrownBy(
                  () -> {
                    for (int i = 0; i < 10_000; i++) {
                      tree.put(key(i), new byte[VALUE_BYTES], soon);
                    }
                  })
              .isExactlyInstanceOf(DeadlineException.class);
          // A sixteenth of 1024 pages is kept free; the last write may have needed some pages.
          assertThat(engine.open().memory().arbiter().free()).isBetween(28, 31);
          engine.open().memory().memoryEpochs().exit(slot);
          tree.put(key(0), new byte[1], soon);
        });
  }
}
