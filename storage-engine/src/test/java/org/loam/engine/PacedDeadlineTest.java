package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.engine.Orders.bytes;

import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteSlowdown;
import org.loam.common.error.DeadlineException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.lsm.LsmTree;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;
import org.loam.scheduler.work.WriteGate;

/** Writers whose deadline passes while they are paced, before anything is full. */
@Tag("once")
@ExtendWith(QuietLog.class)
class PacedDeadlineTest {
  private static final int SEEDS = 5;
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final Duration TIMEOUT = Duration.ofMillis(20);

  /** What a signal takes to arrive, and a few forces of the disk in between. */
  private static final long PROMPT_NANOS = 20_000_000;

  private static final byte[] RECORD = bytes("NO;1;red;" + "x".repeat(50_000));

  /** At this rate a record takes 50 ms. */
  private static final double BYTES_PER_SECOND = 1_000_000;

  /** Merges read chunks, all others read single pages. */
  private static final Fault NO_MERGES =
      Fault.of(FaultEffect.IO_ERROR)
          .where(call -> call.kind() == IoKind.READ && call.length() > 8192)
          .asSticky();

  private static EngineConfigBuilder calm() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeInitialBytes(16 << 20)
        .logSegmentBytes(1 << 20)
        .logMaxBytes(64 << 20)
        .l0MinMerge(18)
        .l0Stop(24)
        .l0StopRatio(100)
        .tunerMode(TunerMode.FROZEN);
  }

  /** Why writers are paced. */
  private enum Reason {
    LIMIT(
        calm().writeControl(WriteSlowdown.LIMIT).writeLimitBytesPerSecond((long) BYTES_PER_SECOND),
        world -> {}),
    L0(calm().writeControl(WriteSlowdown.PACE).l0MinMerge(1).l0Stop(12), World::deepenL0),
    /** As by a flush, of which there is none here. */
    WRITE_MEMORY(
        calm().writeControl(WriteSlowdown.PACE),
        world -> world.memoryGate().pace(BYTES_PER_SECOND));

    final EngineConfig config;

    /** After it, writers are paced. */
    final Consumer<World> begin;

    Reason(EngineConfigBuilder config, Consumer<World> begin) {
      this.config = config.build();
      this.begin = begin;
    }
  }

  /** A tree, or a dataset, as far as the test knows them. */
  private record Target(
      LsmTree tree,
      BiConsumer<byte[], WriteOptions> writer,
      Function<byte[], byte @Nullable []> reader,
      Runnable check) {
    static Target tree(Engine engine) {
      Tree tree = engine.createTree("t");
      return new Target(
          tree.lsm(), (key, options) -> tree.put(key, RECORD, options), tree::get, () -> {});
    }

    static Target dataset(Engine engine) {
      Dataset orders = engine.datasets().create(Orders.NAME, Orders.RULE, Orders.INDEXES);
      return new Target(
          orders.state().records(),
          (key, options) -> orders.upsert(key, RECORD, options),
          orders::get,
          () -> Orders.verify(orders, Orders.INDEXES));
    }

    void write(String key) {
      writer.accept(bytes(key), WriteOptions.DEFAULT);
    }

    /** The error of a write that was too late, null of one that was not. */
    @Nullable DeadlineException writeInTime(String key) {
      try {
        writer.accept(bytes(key), WriteOptions.DEFAULT.within(TIMEOUT));
        return null;
      } catch (DeadlineException e) {
        return e;
      }
    }

    byte @Nullable [] read(String key) {
      return reader.apply(bytes(key));
    }
  }

  /** An engine whose writers are paced. */
  private record World(Simulation sim, Engine engine, Target target) {
    static void each(Reason reason, Function<Engine, Target> target, Consumer<World> test) {
      for (long seed = 0; seed < SEEDS; seed++) {
        try (Simulation sim = Simulation.seeded(seed)) {
          sim.run(
              () -> {
                try (Engine engine = Engine.open(sim.env(), sim.directory(), reason.config)) {
                  World world = new World(sim, engine, target.apply(engine));
                  reason.begin.accept(world);
                  test.accept(world);
                  sim.faults().clear();
                }
              });
        } catch (Throwable t) {
          throw new AssertionError("seed " + seed, t);
        }
      }
    }

    WriteGate memoryGate() {
      return engine.open().writes().admission().memoryGate();
    }

    /** The relief of L0 is known when a merge has been due for a while. */
    void deepenL0() {
      sim.faults().add(NO_MERGES);
      while (target.tree.gate().paceBytesPerSecond() > 2 * BYTES_PER_SECOND) {
        List.of("a", "b", "y", "z").forEach(target::write);
        engine.flush();
        pause(SECOND_NANOS);
      }
    }

    void pause(long nanos) {
      sim.env().waiter().pause(nanos);
    }

    long now() {
      return sim.env().clock().nanoTime();
    }

    StallLog.Totals paced() {
      return engine.statistics().stalls().totals().get(StallCause.WRITE_CONTROL);
    }
  }

  private static void requireNothingOfALateWrite(World world) {
    Target target = world.target;
    target.write("key");
    // It waits, so that time that was not used counts no more.
    target.write("key");
    long begin = world.now();
    DeadlineException late = target.writeInTime("late");
    assertThat(world.now() - begin).isBetween(TIMEOUT.toNanos(), TIMEOUT.toNanos() + PROMPT_NANOS);
    assertThat(late)
        .hasMessageContainingAll(
            "not admitted within PT0.02S: WRITE_CONTROL", "nothing was written");
    // The deadline counts from the call on, the wait from a moment later.
    assertThat(world.paced().longestNanos()).isGreaterThan(TIMEOUT.minusMillis(1).toNanos());
    world.sim.faults().clear();
    assertThat(target.read("late")).isNull();
    target.check.run();
    target.write("late");
    assertThat(target.read("late")).isEqualTo(RECORD);
    target.check.run();
  }

  @ParameterizedTest
  @EnumSource
  void nothingOfAPutIsThereThatWasTooLate(Reason reason) {
    World.each(reason, Target::tree, PacedDeadlineTest::requireNothingOfALateWrite);
  }

  @ParameterizedTest
  @EnumSource
  void nothingOfAnUpsertIsThereThatWasTooLate(Reason reason) {
    World.each(reason, Target::dataset, PacedDeadlineTest::requireNothingOfALateWrite);
  }

  @ParameterizedTest
  @EnumSource(names = {"LIMIT", "WRITE_MEMORY"})
  void aPutThatWasTooLateTakesNoTimeOfLaterOnes(Reason reason) {
    World.each(reason, Target::tree, PacedDeadlineTest::requireWritesAtTheRate);
  }

  @ParameterizedTest
  @EnumSource(names = {"LIMIT", "WRITE_MEMORY"})
  void anUpsertThatWasTooLateTakesNoTimeOfLaterOnes(Reason reason) {
    World.each(reason, Target::dataset, PacedDeadlineTest::requireWritesAtTheRate);
  }

  /** Or writers that try again would keep each other out for good. */
  private static void requireWritesAtTheRate(World world) {
    long begin = world.now();
    int written = 0;
    while (world.now() - begin < SECOND_NANOS) {
      written += world.target.writeInTime("key") == null ? 1 : 0;
    }
    assertThat(written).isBetween(20, 21);
  }
}
