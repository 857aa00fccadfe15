package org.loam.engine.notify;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.NanoClock;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.TaskRunner;
import org.loam.engine.report.EventListener;

/**
 * Events on their way to a listener, and the thread that tells them. Thread-safe; putting an event
 * in never waits for the listener, and takes no other lock than that of the queue.
 *
 * <p>The queue is bounded by the beginnings it takes: the end of each that it took finds room. So
 * does a fence, which comes once, and the last state of the disk.
 */
public final class EventQueue {
  private static final Logger LOGGER = LogManager.getLogger(EventQueue.class);

  /** Beyond so many waiting events a new one is dropped. */
  static final int CAPACITY = 1024;

  /** How long closing waits for the listener, and for writers to end their waits. */
  public static final long CLOSE_WAIT_NANOS = 5_000_000_000L;

  private final EventListener listener;
  private final int capacity;
  private final NanoClock clock;
  private final Monitor monitor;
  private final TaskRunner.Task task;
  private volatile @Nullable Thread teller;

  @GuardedBy("monitor")
  private final ArrayDeque<Consumer<EventListener>> waiting = new ArrayDeque<>();

  /** A state that found no room, until another takes its place. Told after the gap. */
  @GuardedBy("monitor")
  private @Nullable Consumer<EventListener> state;

  @GuardedBy("monitor")
  private long dropped;

  /** Beginnings that were taken and have not ended. */
  @GuardedBy("monitor")
  private int open;

  @GuardedBy("monitor")
  private boolean closing;

  @GuardedBy("monitor")
  private long giveUpNanos;

  @GuardedBy("monitor")
  private boolean ended;

  EventQueue(StorageEnv env, EventListener listener) {
    this(env, listener, CAPACITY);
  }

  /** A queue that drops new events beyond another number of waiting ones. */
  EventQueue(StorageEnv env, EventListener listener, int capacity) {
    this.listener = listener;
    this.capacity = capacity;
    this.clock = env.clock();
    this.monitor = env.waiter().newMonitor("events");
    this.task = env.tasks().start("loam-events", this::run);
  }

  /** Puts an event in, or drops it. */
  void tell(Consumer<EventListener> event) {
    monitor.lock();
    try {
      if (!closing && hasRoom()) {
        put(event);
      }
    } finally {
      monitor.unlock();
    }
  }

  /** Puts in what comes at most once. */
  void tellAlways(Consumer<EventListener> event) {
    monitor.lock();
    try {
      if (!closing) {
        put(event);
      }
    } finally {
      monitor.unlock();
    }
  }

  /** Puts a state in. If there is no room, the last state waits outside; others are dropped. */
  void tellState(Consumer<EventListener> event) {
    monitor.lock();
    try {
      if (closing) {
        return;
      }
      if (waiting.size() < capacity) {
        put(event);
        return;
      }
      if (state != null) {
        dropped++;
      }
      state = event;
    } finally {
      monitor.unlock();
    }
  }

  /** Puts a beginning in, or drops it; returns whether {@link #tellEnd} must follow. */
  boolean tellBeginning(Consumer<EventListener> event) {
    monitor.lock();
    try {
      if (closing || !hasRoom()) {
        return false;
      }
      put(event);
      open++;
      return true;
    } finally {
      monitor.unlock();
    }
  }

  /** Puts the end of something in whose beginning was taken. */
  void tellEnd(Consumer<EventListener> event) {
    monitor.lock();
    try {
      open--;
      put(event);
    } finally {
      monitor.unlock();
    }
  }

  @GuardedBy("monitor")
  private boolean hasRoom() {
    if (waiting.size() < capacity) {
      return true;
    }
    dropped++;
    return false;
  }

  @GuardedBy("monitor")
  private void put(Consumer<EventListener> event) {
    if (ended) {
      return;
    }
    for (Consumer<EventListener> gap = takeGap(); gap != null; gap = takeGap()) {
      waiting.add(gap);
    }
    waiting.add(event);
    monitor.signalAll();
  }

  /** What is to be told where events found no room: how many, then the state; null if nothing. */
  @GuardedBy("monitor")
  private @Nullable Consumer<EventListener> takeGap() {
    if (dropped > 0) {
      return takeDropped();
    }
    Consumer<EventListener> last = state;
    state = null;
    return last;
  }

  @GuardedBy("monitor")
  private Consumer<EventListener> takeDropped() {
    long count = dropped;
    dropped = 0;
    return told -> told.eventsDropped(count);
  }

  /** Whether the caller is a method of the listener, told by this queue. */
  boolean isTelling() {
    return Thread.currentThread() == teller;
  }

  private void run() {
    teller = Thread.currentThread();
    tellAll();
  }

  private void tellAll() {
    for (Consumer<EventListener> event = next(); event != null; event = next()) {
      try {
        event.accept(listener);
      } catch (Throwable t) {
        LOGGER.warn("an event listener failed; it is told the next event all the same", t);
      }
    }
  }

  /** The next event; null if there is none to come. */
  private @Nullable Consumer<EventListener> next() {
    monitor.lock();
    try {
      while (!ended) {
        Consumer<EventListener> event = waiting.poll();
        if (event == null) {
          event = takeGap();
        }
        if (event != null) {
          return event;
        }
        if (!closing) {
          monitor.await();
        } else if (open > 0 && leftNanos() > 0) {
          monitor.await(leftNanos());
        } else {
          end();
        }
      }
      return null;
    } finally {
      monitor.unlock();
    }
  }

  @GuardedBy("monitor")
  private long leftNanos() {
    return giveUpNanos - clock.nanoTime();
  }

  @GuardedBy("monitor")
  private void end() {
    ended = true;
    waiting.clear();
    state = null;
    monitor.signalAll();
  }

  /**
   * Takes no more beginnings, and waits until all is told or the listener has had time enough. Then
   * the listener is called no more. Called by the listener, it tells all the rest in here.
   */
  void close() {
    monitor.lock();
    try {
      if (!closing) {
        closing = true;
        giveUpNanos = clock.nanoTime() + CLOSE_WAIT_NANOS;
        monitor.signalAll();
      }
    } finally {
      monitor.unlock();
    }
    if (isTelling()) {
      tellAll();
    } else if (awaitEnd()) {
      task.join();
    }
  }

  /** Returns false if the listener does not come back. */
  private boolean awaitEnd() {
    monitor.lock();
    try {
      while (!ended && leftNanos() > 0) {
        monitor.await(leftNanos());
      }
      if (ended) {
        return true;
      }
      LOGGER.warn(
          "an event listener has not come back within {} s of closing; {} events are not told",
          CLOSE_WAIT_NANOS / 1_000_000_000,
          waiting.size() + dropped + (state == null ? 0 : 1));
      end();
      return false;
    } finally {
      monitor.unlock();
    }
  }
}
