package org.loam.engine.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.env.Monitor;
import org.loam.common.error.DiskFullException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Simulation;
import org.loam.engine.notify.RecordedEvents.Dropped;
import org.loam.engine.report.EventListener;

/** What is kept, dropped and told, however slow the listener is. */
@ExtendWith(QuietLog.class)
class EventQueueTest {
  private static final DiskFullException FULL = new DiskFullException("the disk is full", 10, 0);

  /** A listener that does not come back before it is let go. */
  private static final class Blocked extends RecordedEvents {
    private final Monitor monitor;
    private boolean free;
    private boolean inside;

    Blocked(Simulation sim) {
      monitor = sim.env().waiter().newMonitor("blocked listener");
    }

    @Override
    public void on(Object event) {
      monitor.lock();
      try {
        inside = true;
        monitor.signalAll();
        while (!free) {
          monitor.await();
        }
      } finally {
        monitor.unlock();
      }
      super.on(event);
    }

    void awaitInside() {
      monitor.lock();
      try {
        while (!inside) {
          monitor.await();
        }
      } finally {
        monitor.unlock();
      }
    }

    void letGo() {
      monitor.lock();
      try {
        free = true;
        monitor.signalAll();
      } finally {
        monitor.unlock();
      }
    }
  }

  private static Consumer<EventListener> event(int number) {
    Throwable named = new Throwable(Integer.toString(number));
    return listener -> listener.fenced(named);
  }

  private static List<String> shown(RecordedEvents events) {
    List<String> shown = new ArrayList<>();
    for (Object event : events.told) {
      shown.add(event instanceof Throwable t ? t.getMessage() : event.toString());
    }
    return shown;
  }

  @Test
  void eventsAreToldInTheirOrderAndAllBeforeCloseReturns() {
    for (int seed = 0; seed < 20; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        RecordedEvents events = new RecordedEvents();
        sim.run(
            () -> {
              EventQueue queue = new EventQueue(sim.env(), events);
              for (int i = 0; i < 10; i++) {
                queue.tell(event(i));
              }
              queue.close();
              assertThat(shown(events))
                  .containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
              queue.tell(event(10));
              assertThat(queue.tellBeginning(event(11))).isFalse();
              sim.env().waiter().pause(1_000_000_000);
              assertThat(events.told).hasSize(10);
            });
      }
    }
  }

  @Test
  void beyondItsCapacityItDropsAndSaysWhereAndHowMany() {
    try (Simulation sim = Simulation.seeded(1)) {
      Blocked events = new Blocked(sim);
      sim.run(
          () -> {
            EventQueue queue = new EventQueue(sim.env(), events);
            assertThat(queue.tellBeginning(event(-1))).isTrue();
            events.awaitInside();
            for (int i = 0; i < EventQueue.CAPACITY + 7; i++) {
              queue.tell(event(i));
            }
            assertThat(queue.tellBeginning(event(-3))).as("a beginning without room").isFalse();
            queue.tellEnd(event(-2));
            events.letGo();
            queue.close();
          });
      int capacity = EventQueue.CAPACITY;
      List<String> shown = shown(events);
      assertThat(shown).hasSize(capacity + 3);
      assertThat(shown.get(capacity)).isEqualTo(Integer.toString(capacity - 1));
      assertThat(shown.subList(capacity + 1, capacity + 3))
          .containsExactly(new Dropped(8).toString(), "-2");
    }
  }

  @Test
  void whatWasDroppedLastIsToldToo() {
    try (Simulation sim = Simulation.seeded(1)) {
      Blocked events = new Blocked(sim);
      sim.run(
          () -> {
            EventQueue queue = new EventQueue(sim.env(), events);
            queue.tell(event(-1));
            events.awaitInside();
            for (int i = 0; i < EventQueue.CAPACITY + 1; i++) {
              queue.tell(event(i));
            }
            events.letGo();
            while (events.all(Dropped.class).isEmpty()) {
              sim.env().waiter().pause(1_000_000);
            }
            assertThat(events.told).last().isEqualTo(new Dropped(1));
            queue.close();
          });
    }
  }

  @Test
  void aFenceAndTheLastStateOfTheDiskFindRoomAlways() {
    try (Simulation sim = Simulation.seeded(1)) {
      Blocked told = new Blocked(sim);
      Throwable cause = new Throwable("the cause");
      sim.run(
          () -> {
            Events events = new Events(sim.env(), sim.directory(), told);
            events.workFailed(true, FULL, 0);
            told.awaitInside();
            for (int i = 0; i < EventQueue.CAPACITY + 3; i++) {
              events.workFailed(true, FULL, i);
            }
            events.diskFull(FULL);
            events.fenced(cause);
            for (int i = 0; i < 5; i++) {
              events.diskHasRoom();
              events.workFailed(true, FULL, i);
              events.diskFull(FULL);
            }
            events.diskHasRoom();
            told.letGo();
            events.close();
          });
      int last = EventQueue.CAPACITY + 1;
      assertThat(told.told.subList(last, told.told.size()))
          .containsExactly(new Dropped(3), FULL, cause, new Dropped(15), new RecordedEvents.Room());
    }
  }

  @Test
  void closingWaitsForWhatHasBegun() {
    for (int seed = 0; seed < 20; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        RecordedEvents events = new RecordedEvents();
        EventQueue[] queue = new EventQueue[1];
        sim.run(
            () -> {
              queue[0] = new EventQueue(sim.env(), events);
              assertThat(queue[0].tellBeginning(event(1))).isTrue();
            });
        sim.run(
            () -> {
              queue[0].close();
              assertThat(shown(events)).containsExactly("1", "2");
            },
            () -> {
              sim.env().waiter().pause(1_000_000_000);
              queue[0].tellEnd(event(2));
            });
      }
    }
  }

  @Test
  void closingGivesUpOnAListenerThatDoesNotComeBackAndTellsNothingAfterIt() {
    try (Simulation sim = Simulation.seeded(1)) {
      Blocked events = new Blocked(sim);
      sim.run(
          () -> {
            EventQueue queue = new EventQueue(sim.env(), events);
            queue.tell(event(1));
            queue.tell(event(2));
            events.awaitInside();
            long before = sim.env().clock().nanoTime();
            queue.close();
            assertThat(sim.env().clock().nanoTime() - before)
                .isBetween(EventQueue.CLOSE_WAIT_NANOS, EventQueue.CLOSE_WAIT_NANOS + 100_000_000);
            events.letGo();
            sim.env().waiter().pause(1_000_000_000);
            assertThat(shown(events)).as("the call that was under way").containsExactly("1");
          });
    }
  }

  @Test
  void closingGivesUpOnWhatNeverEnds() {
    try (Simulation sim = Simulation.seeded(1)) {
      RecordedEvents events = new RecordedEvents();
      sim.run(
          () -> {
            EventQueue queue = new EventQueue(sim.env(), events);
            assertThat(queue.tellBeginning(event(1))).isTrue();
            queue.close();
            queue.tellEnd(event(2));
            sim.env().waiter().pause(1_000_000_000);
            assertThat(shown(events)).containsExactly("1");
          });
    }
  }

  @Test
  void aListenerThatThrowsIsToldTheNextEvent() {
    try (Simulation sim = Simulation.seeded(1)) {
      RecordedEvents events =
          new RecordedEvents() {
            @Override
            public void on(Object event) {
              super.on(event);
              if (told.size() % 2 == 0) {
                throw new IllegalStateException("not today");
              }
              throw new AssertionError("never");
            }
          };
      sim.run(
          () -> {
            EventQueue queue = new EventQueue(sim.env(), events);
            queue.tell(event(1));
            queue.tell(event(2));
            queue.tell(event(3));
            queue.close();
          });
      assertThat(shown(events)).containsExactly("1", "2", "3");
    }
  }
}
