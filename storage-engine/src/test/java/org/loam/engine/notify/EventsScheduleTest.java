package org.loam.engine.notify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;

/** Schedules of threads that fence an engine at once. */
@Tag("once")
@Explored
class EventsScheduleTest {
  private static final int SCHEDULES = 500;

  /** However many threads find a reason, one of them is told. */
  @Test
  void oneFenceIsTold() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          RecordedEvents told = new RecordedEvents();
          Events events = new Events(sim.env(), sim.directory(), told);
          Throwable first = new Throwable("first");
          Throwable second = new Throwable("second");
          sim.run(
              () -> {
                events.fenced(first);
                events.fenced(first);
              },
              () -> events.fenced(second));
          sim.run(events::close);
          assertThat(told.told).hasSize(1).isSubsetOf(first, second);
        });
  }
}
