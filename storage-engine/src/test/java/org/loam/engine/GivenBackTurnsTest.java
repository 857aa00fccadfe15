package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.loam.engine.Orders.bytes;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteSlowdown;
import org.loam.common.error.DeadlineException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.commit.PreparedBatch;
import org.loam.engine.commit.WriteTerms;
import org.loam.scheduler.work.Pacer.Turn;
import org.loam.scheduler.work.WriteControl;
import org.loam.scheduler.work.WriteGate;

/** Writes that fail after they have had a turn: the next writer gets in at once, at each gate. */
@Tag("once")
@ExtendWith(QuietLog.class)
class GivenBackTurnsTest {
  private static final Duration TIMEOUT = Duration.ofMillis(20);
  private static final WriteOptions IN_TIME = WriteOptions.DEFAULT.within(TIMEOUT);
  private static final int MILLISECOND = 1_000_000;

  /** Each record takes at least 100 ms. */
  private static final double BYTES_PER_SECOND = 100_000;

  private static final byte[] KEY = bytes("key");
  private static final byte[] RECORD = bytes("NO;1;red;" + "x".repeat(10_000));

  /** Too large for the batch that a thread uses again. */
  private static final byte[] LARGE_RECORD = bytes("NO;1;red;" + "x".repeat(70_000));

  private static final EngineConfig CONFIG =
      EngineConfig.builder()
          .memoryTotalBytes(64 << 20)
          .pageBytes(4096)
          .durability(Durability.PROCESS)
          .writeInitialBytes(1 << 20)
          .logSegmentBytes(1 << 20)
          .logMaxBytes(16 << 20)
          .writeControl(WriteSlowdown.STOP)
          .tunerMode(TunerMode.FROZEN)
          .build();

  private static final Fault NO_FLUSHES =
      Fault.of(FaultEffect.IO_ERROR)
          .on(IoKind.CREATE)
          .onPath(path -> path.toString().endsWith(".sst"))
          .asSticky();

  private enum Write {
    PUT(world -> world.tree.put(KEY, RECORD, IN_TIME)),
    LARGE_PUT(world -> world.tree.put(KEY, LARGE_RECORD, IN_TIME)),
    BATCH(
        world ->
            world.engine.write(
                new WriteBatch().put(world.other, KEY, RECORD).put(world.tree, KEY, RECORD),
                IN_TIME)),
    UPSERT(world -> world.orders.upsert(KEY, RECORD, IN_TIME));

    final Consumer<World> work;

    Write(Consumer<World> work) {
      this.work = work;
    }
  }

  /** Gates that are paced by hand, since no flush and no merge is on its way. */
  private record World(Simulation sim, Engine engine, Tree tree, Tree other, Dataset orders) {
    static void test(Consumer<World> test) {
      try (Simulation sim = Simulation.seeded(1)) {
        sim.run(
            () -> {
              try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG)) {
                Tree tree = engine.createTree("t");
                Tree other = engine.createTree("u");
                Dataset orders = engine.datasets().create(Orders.NAME, Orders.RULE, Orders.INDEXES);
                test.accept(new World(sim, engine, tree, other, orders));
                sim.faults().clear();
              }
            });
      }
    }

    void fillMemory() {
      sim.faults().add(NO_FLUSHES);
      assertThatThrownBy(
              () -> {
                for (int i = 0; ; i++) {
                  tree.put(bytes("filler" + i), new byte[1000], IN_TIME);
                }
              })
          .hasMessageContaining("WRITE_MEMORY_FULL");
    }

    WriteGate memoryGate() {
      return engine.open().writes().admission().memoryGate();
    }

    List<WriteGate> treeGates() {
      return List.of(tree.lsm().gate(), other.lsm().gate(), orders.state().records().gate());
    }

    void pace() {
      WriteControl limit = new WriteControl.Limit(BYTES_PER_SECOND);
      treeGates().forEach(gate -> gate.update(null, limit, new WriteControl.L0(0, 1, 0, 0)));
      memoryGate().pace(BYTES_PER_SECOND);
    }

    void requireNothingTaken(List<WriteGate> gates) {
      for (WriteGate gate : gates) {
        assertThat(waitNanos(gate)).isLessThan(MILLISECOND);
      }
    }

    /** How long the next write waits. */
    long waitNanos(WriteGate gate) {
      long begin = now();
      gate.pass(0, WriteGate.NO_DEADLINE, () -> {});
      return now() - begin;
    }

    long now() {
      return sim.env().clock().nanoTime();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aWriteThatFindsMemoryFullTakesNoTurn(Write write) {
    World.test(
        world -> {
          world.fillMemory();
          world.pace();
          assertThatThrownBy(() -> write.work.accept(world))
              .isExactlyInstanceOf(DeadlineException.class)
              .hasMessageContaining("WRITE_MEMORY_FULL");
          world.requireNothingTaken(world.treeGates());
          world.requireNothingTaken(List.of(world.memoryGate()));
        });
  }

  /** All trees take it, but write memory does not in time. */
  @ParameterizedTest
  @EnumSource
  void aWriteThatIsPacedByMemoryTakesNoTurn(Write write) {
    World.test(
        world -> {
          world.pace();
          world.memoryGate().count(Turn.NONE, RECORD.length);
          long begin = world.now();
          assertThatThrownBy(() -> write.work.accept(world))
              .isExactlyInstanceOf(DeadlineException.class)
              .hasMessageContaining("WRITE_CONTROL");
          world.requireNothingTaken(world.treeGates());
          world.waitNanos(world.memoryGate());
          // What was counted there, less what was not used before.
          assertThat(world.now() - begin).isBetween(94L * MILLISECOND, 101L * MILLISECOND);
        });
  }

  /** As one to a key that another writer was faster to write. */
  @Test
  void aWriteWhoseConditionDoesNotHoldTakesNoTurn() {
    World.test(
        world -> {
          world.pace();
          PreparedBatch batch = new PreparedBatch(1);
          batch.put(world.tree.lsm(), KEY, RECORD);
          assertThat(
                  world
                      .engine
                      .open()
                      .writes()
                      .committer()
                      .write(batch, WriteTerms.DEFAULT, WriteGate.NO_DEADLINE, record -> false))
              .isFalse();
          world.requireNothingTaken(world.treeGates());
          world.requireNothingTaken(List.of(world.memoryGate()));
        });
  }
}
