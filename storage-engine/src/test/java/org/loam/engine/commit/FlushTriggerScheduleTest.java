package org.loam.engine.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.PagePool;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.engine.memory.MemoryArbiter;
import org.loam.engine.report.FlushChoice.Rule;
import org.loam.engine.scheme.MemoryScheme;
import org.loam.lsm.FlushCause;
import org.loam.lsm.LsmTree;
import org.loam.lsm.RangeSizes;
import org.loam.lsm.TreeServices;
import org.loam.lsm.TreeState;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.visibility.ReadRegistry;
import org.loam.scheduler.work.StallLog;

/** Schedules of a flush that ends on its own thread while the trigger decides; and what it does. */
@Tag("once")
@Explored
class FlushTriggerScheduleTest {
  private static final int SCHEDULES = 300;
  private static final int PAGE_BYTES = 4096;
  private static final int WRITE_PAGES = 64;
  private static final long LEAVING_BYTES = PAGE_BYTES;
  private static final long END_LSN = 10;

  private static final TreeServices.CommitGate OPEN_GATE =
      new TreeServices.CommitGate() {
        @Override
        public boolean mayFlush(long endLsn) {
          return true;
        }

        @Override
        public void awaitDurable(long endLsn) {}
      };

  /** A tree with a record in memory, of which the scheme chooses nothing. */
  private static final class World implements MemoryScheme {
    private final WriteMemory memory;
    private final LsmTree tree;
    private final Freezer freezer;
    private final FlushTrigger trigger;
    private boolean isHeapExhausted;

    /** Whether memory was on its way out when victims were chosen. */
    private boolean wasLeaving;

    World(Simulation sim) {
      PagePool pool = new PagePool(WRITE_PAGES + MemoryArbiter.MIN_CACHE_PAGES, PAGE_BYTES);
      PagePool.Quota quota = pool.quota("write memory", WRITE_PAGES);
      PagePool.Quota cache = pool.quota("cache", MemoryArbiter.MIN_CACHE_PAGES);
      MemoryArbiter pages = new MemoryArbiter(pool, quota, cache, () -> {}, WRITE_PAGES);
      Epochs epochs = new Epochs(sim.env().waiter());
      memory = new WriteMemory(pages, this, this::all, epochs, UnaryOperator.identity(), sim.env());
      ReadRegistry reads = new ReadRegistry(() -> END_LSN);
      tree =
          new LsmTree(
              new TreeState(
                  1,
                  "t",
                  "t",
                  new TreeServices(
                      sim.env(),
                      new TreeServices.Memory(
                          quota, PAGE_BYTES, epochs, new Epochs(sim.env().waiter()), memory),
                      reads,
                      OPEN_GATE,
                      0,
                      new StallLog(1),
                      read -> false,
                      TreeServices.MissedKeys.NONE),
                  -1,
                  List.of()));
      freezer = new Freezer(memory, null, sim.env().clock());
      trigger =
          new FlushTrigger(
              pages,
              memory,
              new BatchRoom(pages, memory, WRITE_PAGES, false),
              freezer,
              new FlushTrigger.Limits(this, 0.5, 1 << 20));
      MemoryComponent active = active();
      long record = active.prepare(EntryKind.PUT, new byte[] {1}, new byte[100]);
      assertThat(active.reserve(1)).isTrue();
      active.insert(record, END_LSN - 1, reads);
    }

    private List<LsmTree> all() {
      return List.of(tree);
    }

    MemoryComponent active() {
      return tree.actives().get(0);
    }

    void flushForMemory() {
      trigger.flushForMemory(END_LSN, FlushCause.MEMORY);
    }

    @Override
    public RangeSizes sizes(long ownBytes) {
      if (isHeapExhausted) {
        throw new OutOfMemoryError("planned");
      }
      return RangeSizes.WHOLE;
    }

    @Override
    public long treeBytes(long ownBytes) {
      return ownBytes;
    }

    @Override
    public Victims full(Memory all, LsmTree written, MemoryComponent active) {
      throw new AssertionError("no write asks");
    }

    /** What may be frozen is frozen already. */
    @Override
    public Victims forMemory(Memory all, long bytes) {
      wasLeaving = memory.leavingBytes() > 0;
      return new Victims(Rule.ALL, Map.of());
    }
  }

  private static void explore(
      int schedules, Consumer<World> begin, Consumer<World> meanwhile, Consumer<World> verdict) {
    Schedules.explore(
        schedules,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim), begin);
          sim.run(world::flushForMemory, () -> meanwhile.accept(world));
          verdict.accept(world);
        });
  }

  /**
   * What could not be chosen since the flush was under way is frozen by the next look, as the
   * policy wants it: all of it at once would be below a host what open transactions wrote.
   */
  @Test
  void aFlushThatEndsMeanwhileDoesNotHaveAllTreesFrozen() {
    explore(
        SCHEDULES,
        world -> world.memory.leaves(LEAVING_BYTES),
        world -> world.memory.returned(LEAVING_BYTES),
        world -> {
          if (world.wasLeaving) {
            assertThat(world.tree.hasFrozen()).isFalse();
            assertThat(world.freezer.choices().list()).isEmpty();
          }
        });
  }

  @Test
  void allTreesAreFrozenIfNothingIsLeavingAndNothingCanBeChosen() {
    explore(
        1,
        world -> {},
        world -> {},
        world -> {
          assertThat(world.tree.hasFrozen()).isTrue();
          assertThat(world.freezer.choices().list()).hasSize(1);
        });
  }

  /** Without heap, for instance: what was frozen before it failed waits for a flush. */
  @Test
  void workersLookAlsoAfterAFreezeThatFails() {
    AtomicInteger told = new AtomicInteger();
    try (Simulation sim = Simulation.seeded(1)) {
      World world = Schedules.prepare(sim, () -> new World(sim));
      world.freezer.onFrozen(told::incrementAndGet);
      world.isHeapExhausted = true;
      MemoryScheme.Victims victims =
          new MemoryScheme.Victims(Rule.ALL, Map.of(world.tree, Set.of(world.active())));
      assertThatThrownBy(() -> world.freezer.freeze(victims, 1, END_LSN, FlushCause.MEMORY))
          .isInstanceOf(OutOfMemoryError.class);
    }
    assertThat(told).hasPositiveValue();
  }

  /** After a change of settings, with 4 KiB pages: 1 MiB, and 24 GiB. */
  @Test
  void treesAreLookedAtHoweverLargeWriteMemoryIs() {
    for (int own : new int[] {256, 6 << 20}) {
      int threshold = own / 10 * 9;
      assertThat(FlushTrigger.isWorthALook(threshold, -own, own)).isTrue();
      assertThat(FlushTrigger.isWorthALook(threshold, 0, own)).isTrue();
      assertThat(FlushTrigger.isWorthALook(threshold, threshold + 1 - own / 256, own)).isFalse();
    }
  }
}
