package org.loam.engine.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.cache.AccessClass.QUERY;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.codec.Hash64;
import org.loam.common.config.TunerMode;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.open.SmallEngine;
import org.loam.tuner.cost.MissCurve;
import org.loam.tuner.cost.ReadClass;
import org.loam.tuner.cost.Rewrites;

/** Schedules of watching that begins and ends beside readers and writers. */
@Tag("once")
@Explored
@ExtendWith(QuietLog.class)
class WatchesScheduleTest {
  private static final int SCHEDULES = 500;
  private static final int ENGINES = 60;
  private static final int PAGE_BYTES = 4096;
  private static final int PAGES = 8;
  private static final byte[] KEY = {1};
  private static final long HASH = Hash64.of(KEY, 0, KEY.length);

  /** Longer than the tuner's thread takes to look at its mode again. */
  private static final long SOON_NANOS = 2_000_000_000L;

  private static PageWatch pageWatch() {
    return new PageWatch(PAGES, PAGE_BYTES, 4 * PAGE_BYTES);
  }

  /** Page 1 has left since the beginning. */
  private static PageWatch watchOfALeftPage() {
    PageWatch pages = pageWatch();
    pages.begin();
    pages.left(1);
    return pages;
  }

  private static long saved(PageWatch pages) {
    return pages.saved().getOrDefault(ReadClass.QUERY, 0L);
  }

  private static void missed(PageWatch pages, long pageId) {
    pages.missed(pageId, QUERY, true);
  }

  /** It may have come back unseen, and left once more. */
  @Test
  void noReadOfAPageIsSavedThatLeftBeforeTheBeginning() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          PageWatch pages = watchOfALeftPage();
          pages.end();
          sim.run(pages::begin, () -> missed(pages, 1));
          missed(pages, 1);
          assertThat(saved(pages)).isZero();
        });
  }

  @Test
  void nothingIsCountedAfterTheEnd() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          PageWatch pages = watchOfALeftPage();
          long[] seen = new long[1];
          sim.run(
              () -> missed(pages, 1),
              () -> {
                pages.end();
                seen[0] = saved(pages);
              });
          assertThat(saved(pages)).isEqualTo(seen[0]);
        });
  }

  @Test
  void aReaderAndAWriterDoNotMindTheEnd() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          PageWatch pages = pageWatch();
          Watches watches = new Watches(pages, new WriteWatch(PAGES * PAGE_BYTES, pages));
          watches.begin();
          sim.run(
              watches::end,
              () -> {
                watches.pages().used(1, 1);
                watches.pages().left(1);
                missed(watches.pages(), 1);
                watches.pages().deleted(1, 2);
              },
              () -> watches.writes().written(KEY, 1),
              () -> {
                // What it wanted to know of may be of the sample before.
                watches.writes().wants(1, HASH);
                watches.writes().missed(1, HASH, Double.POSITIVE_INFINITY);
                watches.writes().missed(1, HASH, watches.pages().usedSince(1, 1));
              });
          assertThat(watches.pages().endCycle(1)).isEqualTo(MissCurve.UNKNOWN);
          assertThat(watches.writes().endCycle(1, 0, 0, Map.of())).isEqualTo(Rewrites.UNKNOWN);
        });
  }

  @Test
  void whatIsSavedIsNeverLess() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          PageWatch pages = watchOfALeftPage();
          missed(pages, 1);
          sim.run(
              () -> {
                pages.end();
                pages.begin();
              },
              () -> assertThat(saved(pages)).isEqualTo(1),
              () -> assertThat(saved(pages)).isEqualTo(1));
        });
  }

  /** All calls that there are beside a beginning and an end, and what comes after a beginning. */
  @Test
  void pagesAreCountedAfterTheBeginning() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          PageWatch pages = pageWatch();
          sim.run(
              () -> {
                pages.begin();
                pages.end();
                pages.begin();
                pages.left(1);
                missed(pages, 1);
                pages.used(1, 1);
                assertThat(saved(pages)).isEqualTo(1);
                assertThat(pages.endCycle(1)).isNotEqualTo(MissCurve.UNKNOWN);
              },
              () -> {
                pages.used(2, 2);
                pages.left(2);
                missed(pages, 3);
                pages.deleted(2, 3);
              });
        });
  }

  @Test
  void keysAreCountedAfterTheBeginning() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          WriteWatch writes = new WriteWatch(PAGES * PAGE_BYTES, pageWatch());
          sim.run(
              () -> {
                writes.begin();
                writes.end();
                assertThat(writes.endCycle(1, 0, 0, Map.of())).isEqualTo(Rewrites.UNKNOWN);
                writes.begin();
                writes.written(KEY, 1);
                assertThat(writes.endCycle(1, 0, 0, Map.of())).isNotEqualTo(Rewrites.UNKNOWN);
              },
              () -> {
                writes.written(KEY, 2);
                writes.written(KEY, 3);
              });
        });
  }

  /** An engine whose tuner is frozen. */
  private static final class World {
    private final Simulation sim;
    private final OpenEngine engine;
    private final PageWatch pages;

    World(Simulation sim) {
      this.sim = sim;
      this.engine = SmallEngine.open(sim, SmallEngine.config().tunerMode(TunerMode.FROZEN));
      this.pages = engine.tuner().sources().watches().pages();
    }

    void mode(TunerMode mode) {
      engine.settingChanges().change("tuner.mode", mode.name());
    }

    void read() {
      for (int i = 0; i < 5; i++) {
        pages.left(i);
        missed(pages, i);
      }
    }

    boolean isWatched() {
      long before = saved(pages);
      read();
      return saved(pages) > before;
    }

    void requireWatchedSoon(boolean isWatched) {
      sim.env().waiter().pause(SOON_NANOS);
      assertThat(isWatched()).isEqualTo(isWatched);
    }
  }

  @Test
  void whatIsWatchedFollowsTheModeOfTheTuner() {
    Schedules.explore(
        ENGINES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(
              () -> {
                assertThat(world.isWatched()).isFalse();
                world.mode(TunerMode.OBSERVE);
                world.mode(TunerMode.FROZEN);
                world.mode(TunerMode.ADAPTIVE);
              },
              world::read);
          sim.run(() -> world.requireWatchedSoon(true));
          sim.run(() -> world.mode(TunerMode.FROZEN), world::read);
          sim.run(() -> world.requireWatchedSoon(false));
          sim.run(world.engine::close);
        });
  }
}
