package org.loam.engine.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.PagePool;
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

/** A flush that ends on its own thread while the trigger decides. */
class FlushTriggerTest {
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

  private final Simulation sim = Simulation.seeded(1);
  private final PagePool pool =
      new PagePool(WRITE_PAGES + MemoryArbiter.MIN_CACHE_PAGES, PAGE_BYTES);
  private final PagePool.Quota quota = pool.quota("write memory", WRITE_PAGES);
  private final MemoryArbiter pages =
      new MemoryArbiter(
          pool, quota, pool.quota("cache", MemoryArbiter.MIN_CACHE_PAGES), () -> {}, WRITE_PAGES);

  /** Runs while victims are chosen. */
  private Runnable meanwhile = () -> {};

  private final Epochs epochs = new Epochs(sim.env().waiter());
  private final WriteMemory memory =
      new WriteMemory(
          pages, new NothingToFreeze(), this::trees, epochs, UnaryOperator.identity(), sim.env());
  private final ReadRegistry reads = new ReadRegistry(() -> END_LSN);
  private final LsmTree tree =
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
                  read -> false),
              -1,
              List.of()));
  private final Freezer freezer = new Freezer(memory, null, sim.env().clock());
  private final FlushTrigger trigger =
      new FlushTrigger(
          pages,
          memory,
          new BatchRoom(pages, memory, WRITE_PAGES, false),
          freezer,
          new FlushTrigger.Limits(memory.scheme(), 0.5, 1 << 20));

  /** What may be frozen is frozen already. */
  private final class NothingToFreeze implements MemoryScheme {
    @Override
    public RangeSizes sizes(long ownBytes) {
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

    @Override
    public Victims forMemory(Memory all, long bytes) {
      meanwhile.run();
      return new Victims(Rule.ALL, Map.of());
    }
  }

  private List<LsmTree> trees() {
    return List.of(tree);
  }

  @AfterEach
  void close() {
    sim.close();
  }

  private void write() {
    MemoryComponent active = tree.actives().get(0);
    long record = active.prepare(EntryKind.PUT, new byte[] {1}, new byte[100]);
    assertThat(active.reserve(1)).isTrue();
    active.insert(record, END_LSN - 1, reads);
  }

  /**
   * What could not be chosen since the flush was under way is frozen by the next look, as the
   * policy wants it: all of it at once would be below a host what open transactions wrote.
   */
  @Test
  void aFlushThatEndsMeanwhileDoesNotHaveAllTreesFrozen() {
    sim.run(
        () -> {
          write();
          memory.leaves(LEAVING_BYTES);
          meanwhile = () -> memory.returned(LEAVING_BYTES);
          trigger.flushForMemory(END_LSN, FlushCause.MEMORY);
          assertThat(tree.hasFrozen()).isFalse();
          assertThat(freezer.choices().list()).isEmpty();
        });
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

  @Test
  void allTreesAreFrozenIfNothingIsLeavingAndNothingCanBeChosen() {
    sim.run(
        () -> {
          write();
          trigger.flushForMemory(END_LSN, FlushCause.MEMORY);
          assertThat(tree.hasFrozen()).isTrue();
          assertThat(freezer.choices().list()).hasSize(1);
        });
  }
}
