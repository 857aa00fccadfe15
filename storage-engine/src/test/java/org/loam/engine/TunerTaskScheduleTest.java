package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.config.TunerMode;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.common.sim.SwitchPoints;
import org.loam.engine.open.SmallEngine;
import org.loam.engine.tuning.TunerTask;
import org.loam.tuner.history.HistoryEntry;
import org.loam.tuner.history.HistoryReader;

/** Schedules of cycles that end while another thread looks at the last one, or wants no more. */
@Tag("once")
@Explored
@ExtendWith(QuietLog.class)
class TunerTaskScheduleTest {
  private static final int SCHEDULES = 16;
  private static final int CYCLES = 2;

  /** Those of a change of the mode. */
  private static final int MODES = 16;

  private static final long NO_CYCLE_BYTES = 1L << 40;

  /** Above its least size, and less than the tuner gives it without a bound. */
  private static final long MOST_WRITE_BYTES = 1 << 20;

  /** Longer than the tuner's thread takes to look at its mode again. */
  private static final long SOON_NANOS = 2_000_000_000L;

  /** The log of so many updates ends a cycle. */
  private static final int UPDATES = 1200;

  private static final int CYCLE_BYTES = UPDATES * 1000;

  /** More than write memory holds at first, so that more of it gains much. */
  private static final int KEYS = 600;

  /** What was seen of a cycle, in this order. */
  private record Look(TunerTask.Cycle cycle, long targetBytes, List<HistoryEntry> history) {}

  /** An engine whose tuner ends a cycle after some updates. */
  private static final class World {
    private final Simulation sim;
    private final Engine engine;
    private final Tree tree;
    private final List<Look> looks = new ArrayList<>();

    World(Simulation sim, long cycleBytes) {
      this.sim = sim;
      this.engine =
          Engine.open(
              sim.env(),
              sim.directory(),
              SmallEngine.config()
                  .durability(Durability.PROCESS)
                  .logMaxBytes(64 << 20)
                  .mergeThreads(1)
                  .tunerMode(TunerMode.ADAPTIVE)
                  .tunerCycleBytes(cycleBytes)
                  .build());
      this.tree = engine.createTree("t");
    }

    void update() {
      SwitchPoints.hold();
      for (int i = 0; i < UPDATES; i++) {
        int key = i % KEYS;
        tree.put(new byte[] {(byte) (key >> 8), (byte) key}, new byte[1000]);
      }
      SwitchPoints.release();
    }

    void work() {
      for (int number = 1; number <= CYCLES; number++) {
        update();
        TunerTask.Cycle cycle = awaitCycle(number);
        looks.add(new Look(cycle, targetBytes(), history()));
      }
    }

    private TunerTask.Cycle awaitCycle(int number) {
      while (true) {
        TunerTask.Cycle last = engine.open().tuner().lastCycle();
        if (last != null && last.number() == number) {
          return last;
        }
        sim.env().waiter().spin();
      }
    }

    private List<HistoryEntry> history() {
      return HistoryReader.read(sim.env().files(), HistoryReader.fileIn(sim.directory())).entries();
    }

    /** Of the last cycle; that of now if the tuner had not begun. */
    long lastSplitBytes() {
      List<HistoryEntry> history = history();
      return history.isEmpty()
          ? targetBytes()
          : history.get(history.size() - 1).decision().toBytes();
    }

    long targetBytes() {
      return engine.open().memory().arbiter().targetBytes();
    }

    long ownBytes() {
      return engine.open().memory().arbiter().ownBytes();
    }

    /** What the cache has beside so much write memory. */
    long cacheBytes(long writeBytes) {
      return engine.open().memory().arbiter().poolBytes() - writeBytes;
    }

    /** Of so many bytes, what is in whole pages. */
    long inPages(long bytes) {
      long page = engine.config().memory().pageBytes();
      return bytes / page * page;
    }

    void check() {
      long logBytes = 0;
      for (Look look : looks) {
        assertThat(look.history).hasSize((int) look.cycle.number());
        HistoryEntry entry = look.history.get(look.history.size() - 1);
        assertThat(entry.cycle()).isEqualTo(look.cycle.number());
        assertThat(entry.decision()).isEqualTo(look.cycle.decision());
        assertThat(entry.inputs().moved().logBytes()).isPositive();
        logBytes += entry.inputs().moved().logBytes();
        assertThat(look.targetBytes).isEqualTo(inPages(look.cycle.decision().toBytes()));
      }
      assertThat(logBytes).isLessThanOrEqualTo(engine.statistics().log().endLsn());
    }
  }

  @Test
  void aCycleThatShowsHasItsTargetAndIsInTheHistory() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim, CYCLE_BYTES));
          sim.run(world::work);
          sim.run(
              () -> {
                world.check();
                world.engine.close();
              });
        });
  }

  /** A cycle is under way while the tuner is told to keep the split. */
  @Test
  void aSplitThatIsToStayStays() {
    changeInACycle(
        world -> {
          world.engine.configure("tuner.mode", "FROZEN");
          // A step that is under way may still end.
          long ownBytes = world.ownBytes();
          assertThat(Math.abs(world.targetBytes() - ownBytes)).isLessThanOrEqualTo(ownBytes / 16);
        },
        (world, kept) -> {
          assertThat(world.targetBytes()).isEqualTo(kept);
          assertThat(world.ownBytes()).isEqualTo(kept);
          // With which the next opening begins; the last step may end after the last cycle.
          assertThat(world.lastSplitBytes()).isCloseTo(kept, within(kept / 16));
        });
  }

  /** A cycle is under way while the tuner is told to leave the cache more than it would. */
  @Test
  void aDecisionByBoundsOfBeforeSetsNoTarget() {
    changeInACycle(
        world ->
            world.engine.configure(
                "tuner.leastCacheBytes", world.cacheBytes(MOST_WRITE_BYTES) + "B"),
        (world, kept) ->
            assertThat(world.targetBytes()).isLessThanOrEqualTo(Math.max(kept, MOST_WRITE_BYTES)));
  }

  /**
   * Schedules of a change of settings beside a cycle.
   *
   * @param check runs when the tuner's thread has met the change; takes the target as it was right
   *     after the change
   */
  private static void changeInACycle(Consumer<World> change, BiConsumer<World, Long> check) {
    Schedules.explore(
        MODES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim, NO_CYCLE_BYTES));
          long[] kept = new long[1];
          sim.run(
              () -> {
                world.update();
                world.engine.configure("tuner.cycleBytes", CYCLE_BYTES + "B");
                change.accept(world);
                kept[0] = world.targetBytes();
              });
          sim.run(
              () -> {
                sim.env().waiter().pause(SOON_NANOS);
                check.accept(world, kept[0]);
                world.engine.close();
              });
        });
  }
}
