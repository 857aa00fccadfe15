package org.loam.engine.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.engine.notify.RecordedEvents.Dropped;
import org.loam.engine.report.EventListener;

/** Schedules of threads that put events into a queue that is too small for them, or that closes. */
@Tag("once")
@Explored
class EventQueueScheduleTest {
  private static final int SCHEDULES = 1000;
  private static final int CAPACITY = 2;

  /** Event number {@code number} of a producer. */
  private static Consumer<EventListener> event(String producer, int number) {
    Throwable named = new Throwable(producer + number);
    return listener -> listener.fenced(named);
  }

  /** The numbers of the events of a producer, as they were told. */
  private static List<Integer> told(RecordedEvents events, String producer) {
    List<Integer> numbers = new ArrayList<>();
    for (Object event : events.told) {
      if (event instanceof Throwable t && t.getMessage().startsWith(producer)) {
        numbers.add(Integer.parseInt(t.getMessage().substring(producer.length())));
      }
    }
    return numbers;
  }

  private static long dropped(RecordedEvents events) {
    return events.all(Dropped.class).stream().mapToLong(Dropped::count).sum();
  }

  @Test
  void eachProducersEventsAreToldInOrderOrCounted() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          RecordedEvents events = new RecordedEvents();
          EventQueue queue = new EventQueue(sim.env(), events, CAPACITY);
          boolean[] begun = new boolean[1];
          sim.run(
              () -> {
                for (int i = 0; i < 4; i++) {
                  queue.tell(event("a", i));
                }
              },
              () -> {
                queue.tell(event("b", 0));
                begun[0] = queue.tellBeginning(event("b", 1));
                queue.tell(event("b", 2));
                if (begun[0]) {
                  queue.tellEnd(event("b", 3));
                }
              });
          sim.run(queue::close);
          List<Integer> ofA = told(events, "a");
          List<Integer> ofB = told(events, "b");
          assertThat(ofA).isSorted().doesNotHaveDuplicates();
          assertThat(ofB).isSorted().doesNotHaveDuplicates();
          assertThat(ofB.contains(1) && ofB.contains(3)).isEqualTo(begun[0]);
          int all = begun[0] ? 8 : 7;
          assertThat(ofA.size() + ofB.size() + dropped(events)).isEqualTo(all);
        });
  }

  /** However full the queue is, before any close, and never before what the thread told first. */
  @Test
  void aFenceAndTheLastStateAreToldInTheirPlaces() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          RecordedEvents events = new RecordedEvents();
          EventQueue queue = new EventQueue(sim.env(), events, CAPACITY);
          sim.run(
              () -> {
                queue.tellState(event("s", 0));
                queue.tellState(event("s", 1));
                queue.tell(event("s", 2));
                queue.tellState(event("s", 3));
              },
              () -> {
                queue.tell(event("f", 0));
                queue.tell(event("f", 1));
                queue.tellAlways(event("f", 2));
                queue.tell(event("f", 3));
              });
          sim.run(() -> sim.env().waiter().pause(1_000_000_000));
          List<Integer> states = told(events, "s");
          List<Integer> ofFence = told(events, "f");
          assertThat(states).isSorted().doesNotHaveDuplicates().endsWith(3);
          assertThat(ofFence).isSorted().doesNotHaveDuplicates().contains(2);
          assertThat(states.size() + ofFence.size() + dropped(events)).isEqualTo(8);
          sim.run(queue::close);
          assertThat(told(events, "s")).isEqualTo(states);
        });
  }

  /** What was dropped is told in its place: after what came before it, before what came later. */
  @Test
  void aGapIsToldWhereItIs() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          RecordedEvents events = new RecordedEvents();
          EventQueue queue = new EventQueue(sim.env(), events, CAPACITY);
          sim.run(
              () -> {
                for (int i = 0; i < 6; i++) {
                  queue.tell(event("a", i));
                }
              });
          sim.run(queue::close);
          int next = 0;
          for (Object event : events.told) {
            if (event instanceof Dropped gap) {
              next += (int) gap.count();
            } else {
              assertThat(((Throwable) event).getMessage()).isEqualTo("a" + next++);
            }
          }
          assertThat(next).isEqualTo(6);
        });
  }

  /** What has begun is told to its end before a close returns, and nothing after it. */
  @Test
  void closingBesideAProducerTellsWhatHasBegun() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          RecordedEvents events = new RecordedEvents();
          EventQueue queue = new EventQueue(sim.env(), events, CAPACITY);
          boolean[] begun = new boolean[1];
          int[] toldAtClose = new int[1];
          sim.run(
              () -> {
                begun[0] = queue.tellBeginning(event("a", 0));
                queue.tell(event("a", 1));
                if (begun[0]) {
                  queue.tellEnd(event("a", 2));
                }
              },
              () -> {
                queue.close();
                toldAtClose[0] = events.told.size();
              });
          List<Integer> told = told(events, "a");
          assertThat(told).isSorted();
          assertThat(told.contains(0)).isEqualTo(begun[0]);
          assertThat(told.contains(2)).isEqualTo(begun[0]);
          assertThat(events.told).hasSize(toldAtClose[0]);
        });
  }
}
