package org.loam.cache.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.cache.ReadIntent;
import org.loam.cache.frame.FrameWords.Last;
import org.loam.cache.frame.FrameWords.Use;
import org.loam.common.mem.FixedMemory;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;

/** Schedules of readers that come by a slot of the page table while it gets another meaning. */
@Tag("once")
@Explored
class PageTableScheduleTest {
  private static final int FRAMES = 64;

  /** As many pages as one shard of a table for so many frames takes. */
  private static final int SHARD_LIMIT = 36;

  private static final long PAGE = SHARD_LIMIT - 1;
  private static final long OTHER = SHARD_LIMIT;
  private static final int FRAME = FRAMES - 1;

  /**
   * What a full shard refuses is its reader's alone. A reader that comes by the slot that the page
   * had before must not lose its pin.
   */
  @Test
  void aPageThatIsRefusedHasNoOtherReader() {
    Schedules.explore(
        20_000,
        sim -> {
          try (FixedMemory fixed = new FixedMemory(CacheMemory.tableBytes(FRAMES))) {
            long base = fixed.allocate("tables", CacheMemory.tableBytes(FRAMES), 64);
            FrameWords words = new FrameWords(base, FRAMES);
            PageTable table = new PageTable(words, base + FrameWords.bytes(FRAMES), FRAMES);
            unseen(() -> fill(words, table));
            AtomicInteger doomed = new AtomicInteger();
            AtomicInteger ends = new AtomicInteger();
            sim.run(
                () -> {
                  int frame = table.pin(hash(PAGE), PAGE, ReadIntent.QUERY);
                  if (frame != PageTable.NONE) {
                    ends.addAndGet(words.unpin(frame) == Last.DOOMED ? 1 : 0);
                  }
                },
                () -> {
                  if (table.drop(hash(PAGE), PAGE) == PageTable.NONE) {
                    doomed.incrementAndGet();
                    return;
                  }
                  assertThat(list(words, table, FRAME - 1, OTHER)).isTrue();
                  assertThat(list(words, table, FRAME, PAGE)).isFalse();
                  doomed.incrementAndGet();
                  assertThat(words.pins(FRAME)).isEqualTo(1);
                  ends.addAndGet(words.unpin(FRAME) == Last.DOOMED ? 1 : 0);
                });
            assertThat(words.pins(FRAME)).isZero();
            assertThat(ends).as("threads that the frame belongs to").hasValue(doomed.get());
            fixed.free(base);
          }
        });
  }

  private interface World {
    void run(Simulation sim, FrameWords words, PageTable table);
  }

  /** Explores a table of a few frames. */
  private static void explore(int schedules, World world) {
    Schedules.explore(
        schedules,
        sim -> {
          int frames = 4;
          try (FixedMemory fixed = new FixedMemory(CacheMemory.tableBytes(frames))) {
            long base = fixed.allocate("tables", CacheMemory.tableBytes(frames), 64);
            FrameWords words = new FrameWords(base, frames);
            world.run(sim, words, new PageTable(words, base + FrameWords.bytes(frames), frames));
            fixed.free(base);
          }
        });
  }

  @Test
  void pagesOfOneHomeHaveASlotEach() {
    explore(
        2000,
        (sim, words, table) -> {
          sim.run(() -> list(words, table, 0, 0), () -> list(words, table, 1, 1));
          assertThat(table.pin(hash(0), 0, ReadIntent.QUERY)).isZero();
          assertThat(table.pin(hash(1), 1, ReadIntent.QUERY)).isEqualTo(1);
        });
  }

  /** Without the lock of its shard a page is missed now and then; see {@link PageTable}. */
  @Test
  void aPageIsFoundUnderTheLockWhileItsSlotMoves() {
    explore(
        2000,
        (sim, words, table) -> {
          list(words, table, 0, 0);
          words.unpin(0);
          list(words, table, 1, 1);
          sim.run(
              () -> assertThat(table.drop(hash(0), 0)).isZero(),
              () -> assertThat(table.pinLocked(hash(1), 1, ReadIntent.QUERY)).isEqualTo(1));
        });
  }

  /** A frame gets another page beside a reader that comes by the slot of the first. */
  @Test
  void aPinnedFrameHasThePageThatWasAskedFor() {
    explore(
        20_000,
        (sim, words, table) -> {
          list(words, table, 0, 0);
          words.unpin(0);
          AtomicInteger pinned = new AtomicInteger();
          sim.run(
              () -> pinned.set(table.pin(hash(0), 0, ReadIntent.QUERY)),
              () -> {
                if (table.drop(hash(0), 0) == 0) {
                  list(words, table, 0, 1);
                }
              });
          if (pinned.get() != PageTable.NONE) {
            assertThat(words.pageId(pinned.get())).isZero();
          }
        });
  }

  private static void fill(FrameWords words, PageTable table) {
    for (int page = 0; page < SHARD_LIMIT; page++) {
      int frame = page == PAGE ? FRAME : page;
      assertThat(list(words, table, frame, page)).isTrue();
      words.unpin(frame);
    }
  }

  /**
   * Outside of the simulation: accesses are no switching points, of which the rest then has more.
   */
  private static void unseen(Runnable action) {
    Thread thread = new Thread(action);
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean list(FrameWords words, PageTable table, int frame, long pageId) {
    words.hold(frame);
    return table.list(hash(pageId), frame, pageId, Use.NOW);
  }

  /** All in the first shard, each in a place of its own. */
  private static long hash(long pageId) {
    return pageId * (1L << 32) / (2 * SHARD_LIMIT);
  }
}
