package org.loam.common.mem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.mem.PagePool.Quota;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;

/** Schedules of threads that take pages of a pool while a thread touches those that come next. */
@Tag("once")
@Explored
class TouchAheadScheduleTest {
  private static final int SCHEDULES = 500;
  private static final int PATIENCE = 200;
  private static final int PAGES = 32;
  private static final int AHEAD = 4;

  /** So short that the thread looks while others take pages. */
  private static final long PAUSE_NANOS = 100;

  /** A pool, and two clients that mark the pages that they take. */
  private static final class World {
    private final Simulation sim;
    private final PagePool pool = new PagePool(PAGES, 4096);
    private final Quota quota = pool.quota("pages", PAGES);
    private final TouchAhead touch;
    private final List<Long> first = new ArrayList<>();
    private final List<Long> second = new ArrayList<>();

    World(Simulation sim) {
      this.sim = sim;
      this.touch = new TouchAhead(sim.env(), pool, AHEAD, PAUSE_NANOS);
    }

    void take(List<Long> pages, int count) {
      for (int i = 0; i < count; i++) {
        long page = quota.allocate();
        Mem.putLong(page, page);
        pages.add(page);
        // The thread may look now.
        sim.env().waiter().pause(1);
      }
      assertThat(touch.touchedPages()).isLessThanOrEqualTo(pool.peakPages() + AHEAD);
    }

    void awaitTouched(int pages) {
      for (int i = 0; i < PATIENCE && touch.touchedPages() < pages; i++) {
        sim.env().waiter().pause(PAUSE_NANOS);
      }
      assertThat(touch.touchedPages()).isEqualTo(pages);
    }

    void close() {
      touch.close();
      for (List<Long> pages : List.of(first, second)) {
        for (long page : pages) {
          assertThat(Mem.getLong(page)).as("the mark on a page").isEqualTo(page);
        }
      }
      // The checked mode stops a touch that would come after this.
      pool.discard();
    }
  }

  @Test
  void itIsAheadOfThePagesInUse() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = new World(sim);
          sim.run(() -> world.take(world.first, 5), () -> world.take(world.second, 7));
          sim.run(
              () -> {
                world.awaitTouched(12 + AHEAD);
                world.take(world.first, PAGES - 12);
                world.awaitTouched(PAGES);
                world.close();
              });
        });
  }

  @Test
  void nothingIsTouchedAfterTheClose() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = new World(sim);
          sim.run(
              () -> {
                world.take(world.first, 5);
                world.close();
              });
        });
  }
}
