package org.loam.common.mem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.TaskRunner.Task;
import org.loam.common.mem.PagePool.Quota;
import org.loam.common.sim.Simulation;

@Tag("once")
class TouchAheadTest {
  private static final int PAGES = 64;
  private static final int AHEAD = 8;
  private static final long PAUSE_NANOS = 20_000_000;

  private final Simulation sim = Simulation.seeded(1);
  private final List<Task> started = new ArrayList<>();

  @AfterEach
  void close() {
    sim.close();
  }

  private StorageEnv env() {
    StorageEnv env = sim.env();
    return new StorageEnv(
        env.files(),
        env.clock(),
        env.waiter(),
        (name, body) -> start(env, name, body),
        env.random());
  }

  private Task start(StorageEnv env, String name, Runnable body) {
    Task task = env.tasks().start(name, body);
    started.add(task);
    return task;
  }

  /** Longer than the longest pause. */
  private void pause() {
    sim.env().waiter().pause(6 * PAUSE_NANOS);
  }

  @Test
  void itIsAheadByWhatIsInUseAndByABound() {
    try (PagePool pool = new PagePool(PAGES, 4096);
        Quota quota = pool.quota("pages", PAGES);
        TouchAhead touch = new TouchAhead(env(), pool, AHEAD, PAUSE_NANOS)) {
      pause();
      assertThat(touch.touchedPages()).isZero();
      List<Long> pages = new ArrayList<>();
      for (int used : new int[] {1, 3, 8, 9, 30}) {
        while (pages.size() < used) {
          pages.add(quota.allocate());
        }
        pause();
        assertThat(touch.touchedPages()).isEqualTo(used + Math.min(used, AHEAD));
      }
      pages.forEach(quota::free);
      pause();
      // They were in use.
      assertThat(touch.touchedPages()).isEqualTo(30 + AHEAD);
    }
  }

  @Test
  void itEndsWhenAllIsTouched() {
    try (PagePool pool = new PagePool(PAGES, 4096);
        Quota quota = pool.quota("pages", PAGES);
        TouchAhead touch = new TouchAhead(env(), pool, AHEAD, PAUSE_NANOS)) {
      List<Long> pages = new ArrayList<>();
      while (pages.size() < PAGES - AHEAD) {
        assertThat(started).hasSize(1).allMatch(Task::isAlive);
        pages.add(quota.allocate());
      }
      pause();
      assertThat(touch.touchedPages()).isEqualTo(PAGES);
      assertThat(started).noneMatch(Task::isAlive);
      pages.forEach(quota::free);
    }
  }

  @Test
  void aSmallPoolIsNotWorthAThread() {
    int pages = (128 << 20) / 4096;
    openAndClose(pages - 1);
    assertThat(started).isEmpty();
    openAndClose(pages);
    assertThat(started).hasSize(1).noneMatch(Task::isAlive);
  }

  private void openAndClose(int pages) {
    PagePool pool = new PagePool(pages, 4096);
    new TouchAhead(env(), pool).close();
    pool.close();
  }
}
