package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteScheme;
import org.loam.common.error.ClosedException;
import org.loam.common.error.DeadlineException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.common.error.StorageIoException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;

/**
 * Writers that have to wait, for each cause: how they are told of, how long they wait, and what
 * ends the wait.
 */
@Tag("once")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(QuietLog.class)
class EngineStallTest {
  private static final int SEEDS = 20;
  private static final Duration TIMEOUT = Duration.ofMillis(300);

  /** What a signal takes to arrive, a few forces of the disk in between. */
  private static final long PROMPT_NANOS = 50_000_000;

  /** Background work that fails for as long as the disk is not healed, and its consequence. */
  private enum Hold {
    /** Merges read chunks, all others read single pages. */
    MERGES(
        StallCause.L0_STOP,
        256 << 10,
        4 << 20,
        Fault.of(FaultEffect.IO_ERROR)
            .where(call -> call.kind() == IoKind.READ && call.length() > 8192)),
    FLUSHES(StallCause.WRITE_MEMORY_FULL, 256 << 10, 4 << 20, noTables()),
    TRUNCATION(StallCause.LOG_FULL, 4 << 20, 256 << 10, noTables());

    final StallCause cause;
    final long writeBytes;
    final long logBytes;
    final Fault fault;

    Hold(StallCause cause, long writeBytes, long logBytes, Fault fault) {
      this.cause = cause;
      this.writeBytes = writeBytes;
      this.logBytes = logBytes;
      this.fault = fault.asSticky();
    }

    private static Fault noTables() {
      return Fault.of(FaultEffect.IO_ERROR)
          .on(IoKind.CREATE)
          .onPath(path -> path.toString().endsWith(".sst"));
    }

    EngineConfig config() {
      return EngineConfig.builder()
          .memoryTotalBytes(64 << 20)
          .pageBytes(4096)
          .durability(Durability.PROCESS)
          .writeInitialBytes(writeBytes)
          .logSegmentBytes(64 << 10)
          .logMaxBytes(logBytes)
          .sstableBytes(64 << 10)
          .l0MinMerge(1)
          .l0Stop(2)
          .mergeThreads(1)
          .build();
    }
  }

  private static byte[] key(int i) {
    return ("key" + i).getBytes(UTF_8);
  }

  private static StallLog.Totals stalls(Engine engine, Hold hold) {
    return engine.statistics().stalls().totals().get(hold.cause);
  }

  /** An engine in which writers of a tree soon wait. */
  private static Engine open(Simulation sim, Hold hold) {
    Engine engine = Engine.open(sim.env(), sim.directory(), hold.config());
    engine.createTree("t");
    sim.faults().add(hold.fault);
    return engine;
  }

  /** Writes until an exception ends it; returns how many writes were acknowledged. */
  private static int writeOn(Engine engine, WriteOptions options) {
    Tree tree = engine.tree("t");
    int written = 0;
    try {
      while (true) {
        tree.put(key(written), new byte[1000], options);
        written++;
      }
    } catch (DeadlineException e) {
      return written;
    }
  }

  @ParameterizedTest
  @EnumSource(Hold.class)
  void aDeadlineEndsTheWaitAndNothingIsWritten(Hold hold) {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Engine engine = open(sim, hold)) {
              int written = writeOn(engine, WriteOptions.DEFAULT.within(TIMEOUT));
              assertThat(written).isPositive();
              Tree tree = engine.tree("t");
              long before = sim.env().clock().nanoTime();
              assertThatThrownBy(
                      () -> tree.put(key(0), new byte[1001], WriteOptions.DEFAULT.within(TIMEOUT)))
                  .isExactlyInstanceOf(DeadlineException.class)
                  .hasMessageContainingAll(
                      "write to tree 't'",
                      "not admitted within PT0.3S",
                      hold.cause.name(),
                      "last failure of a " + (hold == Hold.MERGES ? "merge" : "flush") + ": ",
                      "nothing was written",
                      "try again later")
                  .hasCauseInstanceOf(StorageIoException.class);
              assertThat(sim.env().clock().nanoTime() - before)
                  .isBetween(TIMEOUT.toNanos(), TIMEOUT.toNanos() + PROMPT_NANOS);
              assertThat(tree.get(key(0))).hasSize(1000);
              assertThat(tree.get(key(written))).isNull();
              sim.faults().clear();
              tree.delete(key(0));
              assertThat(tree.get(key(0))).isNull();
              assertThat(tree.get(key(written - 1))).hasSize(1000);
              tree.compact();
              assertThat(engine.open().writes().faults().behind(hold.cause)).isNull();
            }
          });
    }
  }

  /** There is memory for the write all the time, but not for its dataset. */
  @Test
  void aWaitForAPlaceIsOneStall() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            EngineConfig config =
                Hold.FLUSHES.config().toBuilder()
                    .writeScheme(WriteScheme.STATIC)
                    .activeDatasets(1)
                    .build();
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
              engine.createTree("t").put(key(0), new byte[1000]);
              Tree second = engine.createTree("u");
              sim.faults().add(Hold.FLUSHES.fault);
              assertThatThrownBy(
                      () -> second.put(key(0), new byte[10], WriteOptions.DEFAULT.within(TIMEOUT)))
                  .isExactlyInstanceOf(DeadlineException.class);
              StallLog.Totals waits = stalls(engine, Hold.FLUSHES);
              assertThat(waits.count()).isEqualTo(1);
              // The deadline counts from the call on, the wait from a moment later.
              assertThat(waits.nanos()).isGreaterThan(TIMEOUT.minusMillis(1).toNanos());
              sim.faults().clear();
            }
          });
    }
  }

  @ParameterizedTest
  @EnumSource(Hold.class)
  void aDeadlineEndsTheWaitOfAConditionalWrite(Hold hold) {
    try (Simulation sim = Simulation.seeded(4)) {
      sim.run(
          () -> {
            try (Engine engine = open(sim, hold)) {
              WriteOptions options = WriteOptions.DEFAULT.within(TIMEOUT);
              assertThat(writeOn(engine, options)).isPositive();
              Tree tree = engine.tree("t");
              byte[] there = new byte[1000];
              byte[] next = new byte[1001];
              long before = sim.env().clock().nanoTime();
              assertThatThrownBy(() -> tree.compareAndPut(key(0), there, next, options))
                  .isExactlyInstanceOf(DeadlineException.class)
                  .hasMessageContainingAll("not admitted within PT0.3S", hold.cause.name());
              assertThat(sim.env().clock().nanoTime() - before)
                  .isBetween(TIMEOUT.toNanos(), TIMEOUT.toNanos() + PROMPT_NANOS);
              assertThat(tree.get(key(0))).isEqualTo(there);
              assertThat(tree.compareAndPut(key(0), next, there, options))
                  .as("nothing to write, nothing to wait for")
                  .isFalse();
              sim.faults().clear();
              assertThat(tree.compareAndPut(key(0), there, next, WriteOptions.DEFAULT.sync()))
                  .isTrue();
              assertThat(engine.open().storage().log().durableLsn())
                  .isGreaterThanOrEqualTo(engine.open().writes().latch().appliedEnd());
              assertThat(tree.get(key(0))).isEqualTo(next);
            }
          });
    }
  }

  @ParameterizedTest
  @EnumSource(Hold.class)
  void oneWaitIsOneStall(Hold hold) {
    try (Simulation sim = Simulation.seeded(2)) {
      Engine[] engine = new Engine[1];
      sim.run(() -> engine[0] = open(sim, hold));
      long[] waited = new long[1];
      sim.run(
          () -> {
            for (int i = 0; waited[0] < 1_000_000_000; i++) {
              long before = sim.env().clock().nanoTime();
              engine[0].tree("t").put(key(i), new byte[1000]);
              waited[0] = sim.env().clock().nanoTime() - before;
            }
          },
          () -> {
            awaitStall(sim, engine[0], hold);
            sim.env().waiter().pause(2_000_000_000);
            sim.faults().clear();
          });
      StallLog.Totals stalls = stalls(engine[0], hold);
      assertThat(stalls.count()).isEqualTo(1);
      assertThat(waited[0] - stalls.nanos()).isBetween(0L, PROMPT_NANOS);
      sim.run(engine[0]::close);
    }
  }

  private static void awaitStall(Simulation sim, Engine engine, Hold hold) {
    while (stalls(engine, hold).activeCount() == 0) {
      sim.env().waiter().pause(1_000_000);
    }
    sim.env().waiter().pause(sim.env().random().nextInt(300_000_000));
  }

  /** A writer that waits without a deadline, and what then happens to its engine. */
  private static void endTheWait(
      Hold hold, Class<? extends StorageException> expected, BiConsumer<Simulation, Engine> end) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Engine[] engine = new Engine[1];
        sim.run(() -> engine[0] = open(sim, hold));
        AtomicReference<StorageException> told = new AtomicReference<>();
        long[] times = new long[2];
        sim.run(
            () -> {
              try {
                writeOn(engine[0], WriteOptions.DEFAULT);
              } catch (StorageException e) {
                told.set(e);
                times[1] = sim.env().clock().nanoTime();
              }
            },
            () -> {
              awaitStall(sim, engine[0], hold);
              times[0] = sim.env().clock().nanoTime();
              end.accept(sim, engine[0]);
            });
        assertThat(told.get()).as("seed %d", seed).isExactlyInstanceOf(expected);
        assertThat(times[1] - times[0]).as("seed %d", seed).isLessThan(PROMPT_NANOS);
        assertThat(
                engine[0]
                    .open()
                    .writes()
                    .stalls()
                    .snapshot(0)
                    .totals()
                    .get(hold.cause)
                    .activeCount())
            .isZero();
        sim.faults().clear();
        sim.run(() -> closeQuietly(engine[0]));
      }
    }
  }

  private static void closeQuietly(Engine engine) {
    try {
      engine.close();
    } catch (StorageException e) {
      // Fenced, or closed before with a fault.
    }
  }

  @ParameterizedTest
  @EnumSource(Hold.class)
  void closingEndsTheWait(Hold hold) {
    endTheWait(hold, ClosedException.class, (sim, engine) -> closeQuietly(engine));
  }

  /** The log finds the fault, on a thread of its own; no other thread may ever come by to tell. */
  @ParameterizedTest
  @EnumSource(Hold.class)
  void aFenceEndsTheWait(Hold hold) {
    endTheWait(
        hold,
        FencedException.class,
        (sim, engine) ->
            engine
                .open()
                .storage()
                .log()
                .fence(new StorageIoException("a force of the log failed")));
  }

  @Test
  void droppingTheTreeEndsTheWait() {
    endTheWait(Hold.MERGES, ClosedException.class, (sim, engine) -> engine.dropTree("t"));
  }
}
