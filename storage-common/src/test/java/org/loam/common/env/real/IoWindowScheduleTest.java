package org.loam.common.env.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;

/** Schedules of threads that take windows out of the pool and give them back. */
@Tag("once")
@Explored
class IoWindowScheduleTest {
  private static final int SCHEDULES = 500;
  private static final int TIMES = 3;

  /** Two calls with one window would read or write each other's bytes. */
  @Test
  void noTwoThreadsOwnAWindow() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          Set<IoWindow> owned = ConcurrentHashMap.newKeySet();
          Runnable client =
              () -> {
                for (int i = 0; i < TIMES; i++) {
                  // The second one is that of another thread, if the pool has it.
                  IoWindow first = own(owned);
                  IoWindow second = own(owned);
                  giveBack(owned, first);
                  giveBack(owned, second);
                }
              };
          sim.run(client, client, client);
          assertThat(owned).isEmpty();
        });
  }

  private static IoWindow own(Set<IoWindow> owned) {
    IoWindow window = IoWindow.acquire();
    assertThat(owned.add(window)).as("owned by this thread alone").isTrue();
    return window;
  }

  private static void giveBack(Set<IoWindow> owned, IoWindow window) {
    owned.remove(window);
    window.release();
  }
}
