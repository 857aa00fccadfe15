package org.loam.cache.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.cache.PagesFile;
import org.loam.cache.ReadIntent;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Mem;
import org.loam.common.mem.PagePool;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;

/**
 * Schedules of readers of a cache that is too small for them: single accesses to frame words, page
 * table and queues are switching points.
 */
@Tag("once")
@Explored
class FrameCacheScheduleTest {
  private static final int SCHEDULES = 1000;

  /** Pages of its files are made before the schedules begin. */
  private final PagesFile one =
      new PagesFile(1, ScheduledCache.PAGE_BYTES, ScheduledCache.FILE_PAGES);

  private final PagesFile two =
      new PagesFile(2, ScheduledCache.PAGE_BYTES, ScheduledCache.FILE_PAGES);

  private interface World {
    void run(Simulation sim, ScheduledCache f);
  }

  private static void explore(int frames, int poolPages, World world) {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ScheduledCache f = new ScheduledCache(sim, frames, poolPages)) {
            world.run(sim, f);
          }
        });
  }

  @Test
  void readersOfTheSamePagesEvictThemForEachOther() {
    explore(
        2,
        3,
        (sim, f) ->
            sim.run(
                () -> {
                  f.read(one, 0, ReadIntent.QUERY);
                  f.read(one, 1, ReadIntent.QUERY);
                  f.read(one, 0, ReadIntent.QUERY);
                  f.read(one, 2, ReadIntent.QUERY_ONCE);
                },
                () -> {
                  f.read(one, 0, ReadIntent.QUERY_ONCE);
                  f.read(one, 2, ReadIntent.QUERY);
                  f.read(one, 0, ReadIntent.QUERY);
                  f.read(one, 1, ReadIntent.QUERY);
                }));
  }

  /** What an observer is told, all together, is what the cache has. */
  @Test
  void aPageThatWasMissedIsThereOrHasLeft() {
    explore(
        2,
        3,
        (sim, f) -> {
          sim.run(
              () -> {
                for (int pageNo = 0; pageNo < 3; pageNo++) {
                  f.read(one, pageNo, ReadIntent.QUERY);
                  f.read(one, pageNo, ReadIntent.QUERY);
                }
                f.read(two, 0, ReadIntent.QUERY);
              },
              () -> {
                for (int pageNo = 0; pageNo < 3; pageNo++) {
                  f.read(two, pageNo, ReadIntent.QUERY);
                  f.read(two, pageNo, ReadIntent.QUERY);
                }
                f.read(one, 0, ReadIntent.QUERY);
              });
          for (int fileId = 1; fileId <= 2; fileId++) {
            for (int pageNo = 0; pageNo < ScheduledCache.FILE_PAGES; pageNo++) {
              assertThat(f.leaves.of(fileId, pageNo))
                  .as("page %d of file %d", pageNo, fileId)
                  .isEqualTo(f.cache.isThere(fileId, pageNo) ? 1 : 0);
            }
          }
        });
  }

  @Test
  void aPageMissedByThreeIsReadOnce() {
    explore(
        3,
        4,
        (sim, f) -> {
          AtomicInteger reads = new AtomicInteger();
          one.onRead = page -> reads.incrementAndGet();
          sim.run(
              () -> f.read(one, 0, ReadIntent.QUERY),
              () -> f.read(one, 0, ReadIntent.QUERY),
              () -> f.read(one, 0, ReadIntent.QUERY));
          assertThat(reads).hasValue(1);
        });
  }

  @Test
  void aReadThatFailsIsTriedAgainByThoseThatWait() {
    explore(
        2,
        3,
        (sim, f) -> {
          AtomicInteger reads = new AtomicInteger();
          AtomicInteger failed = new AtomicInteger();
          one.onRead =
              page -> {
                if (reads.getAndIncrement() < 2) {
                  throw new StorageIoException("planned");
                }
              };
          Runnable reader =
              () -> {
                if (!f.tryRead(one, 0)) {
                  failed.incrementAndGet();
                }
                f.read(two, 0, ReadIntent.QUERY_ONCE);
              };
          sim.run(reader, reader, reader);
          assertThat(failed).hasValue(2);
          assertThat(reads).hasValue(3);
        });
  }

  /** What is pinned or being read when its file is purged goes at its last unpin. */
  @Test
  void aFileIsPurgedBesideAPinAndBesideARead() {
    explore(
        3,
        4,
        (sim, f) -> {
          f.read(one, 0, ReadIntent.QUERY);
          AtomicBoolean purged = new AtomicBoolean();
          AtomicBoolean readBefore = new AtomicBoolean();
          one.onRead = page -> readBefore.set(!purged.get());
          sim.run(
              () -> f.read(one, 0, ReadIntent.QUERY),
              () -> {
                purged.set(true);
                f.cache.purge(1, 2);
                f.read(two, 0, ReadIntent.QUERY);
                f.read(two, 1, ReadIntent.QUERY);
              },
              () -> f.read(one, 1, ReadIntent.QUERY));
          if (readBefore.get()) {
            assertThat(f.cache.isThere(1, 1)).isFalse();
          }
          one.onRead = page -> {};
        });
  }

  /** The only frame gets another page between a reader's look at it and its pin. */
  @Test
  void aFrameGetsAnotherPageBesideAPin() {
    explore(
        1,
        1,
        (sim, f) -> {
          f.read(one, 0, ReadIntent.QUERY);
          sim.run(() -> f.read(one, 0, ReadIntent.QUERY), () -> f.read(one, 1, ReadIntent.QUERY));
        });
  }

  /** A page that stays pinned is found while its slot moves up, and up again. */
  @Test
  void aPageIsFoundWhileItsSlotMoves() {
    List<PagesFile> sameHome = files(3, hash -> hash >>> 60 == 3 && (hash >>> 28 & 15) == 5);
    PagesFile moving = sameHome.get(2);
    explore(
        4,
        8,
        (sim, f) -> {
          AtomicInteger reads = new AtomicInteger();
          moving.onRead = page -> reads.incrementAndGet();
          f.read(sameHome.get(0), 0, ReadIntent.QUERY);
          f.read(sameHome.get(1), 0, ReadIntent.QUERY);
          long pinned = f.cache.pin(moving, 0, ReadIntent.QUERY);
          sim.run(
              () -> {
                f.cache.purge(sameHome.get(0).fileId(), 1);
                f.cache.purge(sameHome.get(1).fileId(), 1);
              },
              () -> f.read(moving, 0, ReadIntent.QUERY));
          f.cache.unpin(pinned);
          assertThat(reads).hasValue(1);
        });
  }

  @Test
  void memoryMovesBothWaysBesideReaders() {
    explore(
        3,
        3,
        (sim, f) -> {
          PagePool.Quota writes = f.pool.quota("writes", 0);
          f.read(one, 0, ReadIntent.QUERY);
          f.read(one, 1, ReadIntent.QUERY);
          sim.run(
              () -> {
                f.lend(writes, 2);
                f.lend(writes, 1);
              },
              () -> {
                f.read(one, 0, ReadIntent.QUERY);
                f.read(one, 2, ReadIntent.QUERY);
                f.read(one, 1, ReadIntent.QUERY_ONCE);
                f.read(one, 0, ReadIntent.QUERY);
              });
        });
  }

  @Test
  void aStretchIsReadAheadBesideAPurgeAndAReader() {
    explore(
        4,
        5,
        (sim, f) ->
            sim.run(
                () -> f.cache.readAhead(one, 3, 0, ReadIntent.QUERY),
                () -> {
                  f.readStretch(one, 0, 2, ReadIntent.QUERY);
                  f.read(one, 3, ReadIntent.QUERY_ONCE);
                },
                () -> {
                  f.cache.purge(1, 4);
                  f.read(two, 0, ReadIntent.QUERY);
                  f.readStretch(two, 3, 1, ReadIntent.QUERY_ONCE);
                }));
  }

  /** As many readers as there are buffers to read to, and one more. */
  @Test
  void noTwoReadersShareABuffer() {
    explore(
        6,
        7,
        (sim, f) ->
            sim.run(
                () -> f.readStretch(one, 0, 1, ReadIntent.QUERY),
                () -> f.readStretch(one, 3, 2, ReadIntent.QUERY),
                () -> f.readStretch(two, 0, 1, ReadIntent.QUERY),
                () -> f.readStretch(two, 2, 3, ReadIntent.QUERY)));
  }

  @Test
  void aWrittenPageIsTakenInBesideAReaderAndAPurge() {
    long written = Mem.allocate(ScheduledCache.PAGE_BYTES, ScheduledCache.PAGE_BYTES);
    one.read(0, written, ScheduledCache.PAGE_BYTES);
    explore(
        4,
        5,
        (sim, f) ->
            sim.run(
                () -> {
                  f.cache.admit(1, 0, written);
                  f.read(two, 0, ReadIntent.QUERY);
                },
                () -> {
                  f.read(one, 0, ReadIntent.QUERY);
                  f.read(two, 1, ReadIntent.QUERY);
                },
                () -> f.cache.purge(1, 1)));
    Mem.free(written);
  }

  /** Files of one page each, found by their hashes. */
  private static List<PagesFile> files(int count, LongPredicate wanted) {
    List<PagesFile> files = new ArrayList<>();
    for (int fileId = 3; files.size() < count; fileId++) {
      if (wanted.test(PageTable.hash((long) fileId << 32))) {
        files.add(new PagesFile(fileId, ScheduledCache.PAGE_BYTES, 1));
      }
    }
    return files;
  }

  @Test
  void aReadThatBreaksLeavesNoPageToWaitFor() {
    Schedules.explore(
        100,
        sim -> {
          try (ScheduledCache cache = new ScheduledCache(sim, 4, 4)) {
            PagesFile file = new PagesFile(1, ScheduledCache.PAGE_BYTES, ScheduledCache.FILE_PAGES);
            AtomicInteger broken = new AtomicInteger();
            file.onRead =
                pageNo -> {
                  if (broken.getAndIncrement() == 0) {
                    throw new IllegalStateException("a broken invariant");
                  }
                };
            Runnable reader =
                () -> {
                  try {
                    cache.readStretch(file, 0, 3, ReadIntent.QUERY);
                  } catch (IllegalStateException e) {
                    cache.read(file, 0, ReadIntent.QUERY);
                  }
                };
            sim.run(reader, reader);
          }
        });
  }
}
