package org.loam.engine.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;

/** Schedules of a thread that ends while it is said what fences the engine. */
@Tag("once")
@Explored
@ExtendWith(QuietLog.class)
class GuardedTasksScheduleTest {
  private static final int SCHEDULES = 500;

  @Test
  void aThreadThatEndsMeanwhileIsTold() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          GuardedTasks tasks = new GuardedTasks(sim.env());
          RuntimeException planned = new IllegalStateException("planned");
          List<Throwable> told = new ArrayList<>();
          sim.run(
              () ->
                  tasks
                      .start(
                          "broken",
                          () -> {
                            throw planned;
                          })
                      .join(),
              () -> tasks.onBroken(told::add));
          assertThat(told).isNotEmpty().containsOnly(planned);
        });
  }
}
