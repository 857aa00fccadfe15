package org.loam.common.mem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.error.ClosedException;
import org.loam.common.mem.PagePool.Quota;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;

/** Schedules of threads that take pages and give them back while targets move between quotas. */
@Tag("once")
@Explored
class PagePoolScheduleTest {
  private static final int SCHEDULES = 1000;
  private static final int PAGES = 6;
  private static final int LOOKS = 3;

  /** A pool of two quotas. */
  private static final class Pages implements AutoCloseable {
    final PagePool pool = new PagePool(PAGES, 4096);
    final Quota left = pool.quota("left", 4);
    final Quota right = pool.quota("right", 2);

    /** Takes as many pages as it can get, marks them, and gives them back. */
    void use(Quota quota, long mark) {
      List<Long> pages = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        long page = quota.allocate();
        if (page != 0) {
          Mem.putLongVolatile(page, mark);
          pages.add(page);
        }
        assertThat(pool.usedPages()).isLessThanOrEqualTo(PAGES);
      }
      for (long page : pages) {
        assertThat(Mem.getLongVolatile(page)).as("the mark on a page").isEqualTo(mark);
        quota.free(page);
      }
    }

    /** Takes all pages of a quota, and gives them back. */
    void useAll(Quota quota, int count) {
      List<Long> taken = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        taken.add(quota.allocate());
      }
      assertThat(taken).doesNotContain(0L);
      taken.forEach(quota::free);
    }

    void requireNoneTwice() {
      List<PagePool.Use> uses = pool.uses(left, right);
      assertThat(uses.get(0).usedPages() + uses.get(1).usedPages()).isLessThanOrEqualTo(PAGES);
      assertThat(uses.get(0).targetPages() + uses.get(1).targetPages()).isEqualTo(PAGES);
    }

    void check(int leftTarget) {
      assertThat(pool.usedPages()).isZero();
      assertThat(left.usedPages() + right.usedPages()).isZero();
      assertThat(left.excessPages() + right.excessPages()).isZero();
      assertThat(left.targetPages()).isEqualTo(leftTarget);
      assertThat(right.targetPages()).isEqualTo(PAGES - leftTarget);
      assertThat(pool.unassignedPages()).isZero();
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  @Test
  void aPageBelongsToOne() {
    explore(
        4,
        pages -> () -> pages.use(pages.left, 1),
        pages -> () -> pages.use(pages.left, 2),
        pages -> () -> pages.use(pages.right, 3));
  }

  @Test
  void noPageGetsLostWhenTargetsMove() {
    explore(
        2,
        pages -> () -> pages.use(pages.left, 1),
        pages -> () -> pages.use(pages.right, 2),
        pages ->
            () -> {
              pages.pool.transfer(pages.left, pages.right, 3);
              pages.pool.transfer(pages.right, pages.left, 1);
            });
  }

  /** A page that changed its quota meanwhile would count twice. */
  @Test
  void whatQuotasUseTogetherIsNeverMoreThanThereIs() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (Pages pages = new Pages()) {
            sim.run(
                () -> {
                  pages.useAll(pages.left, 4);
                  pages.pool.transfer(pages.left, pages.right, 4);
                  pages.useAll(pages.right, PAGES);
                },
                () -> {
                  for (int i = 0; i < LOOKS; i++) {
                    pages.requireNoneTwice();
                  }
                });
          }
        });
  }

  @Test
  void aQuotaThatIsClosedLeavesItsPages() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (Pages pages = new Pages()) {
            sim.run(
                () -> pages.use(pages.left, 1),
                () -> transfer(pages),
                () -> {
                  pages.use(pages.right, 2);
                  pages.right.close();
                });
            assertThat(pages.left.targetPages()).isIn(2, 4);
            assertThat(pages.pool.unassignedPages()).isEqualTo(PAGES - pages.left.targetPages());
          }
        });
  }

  private static void transfer(Pages pages) {
    try {
      pages.pool.transfer(pages.left, pages.right, 2);
    } catch (ClosedException e) {
      assertThat(e).hasMessage("quota right is closed");
    }
  }

  /** The body of a thread. */
  private interface Body {
    Runnable on(Pages pages);
  }

  private static void explore(int leftTarget, Body... bodies) {
    Schedules.explore(SCHEDULES, sim -> run(sim, leftTarget, bodies));
  }

  private static void run(Simulation sim, int leftTarget, Body... bodies) {
    try (Pages pages = new Pages()) {
      Runnable[] clients = new Runnable[bodies.length];
      for (int i = 0; i < bodies.length; i++) {
        clients[i] = bodies[i].on(pages);
      }
      sim.run(clients);
      pages.check(leftTarget);
    }
  }
}
