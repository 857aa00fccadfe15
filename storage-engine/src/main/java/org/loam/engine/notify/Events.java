package org.loam.engine.notify;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.NanoClock;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.StorageException;
import org.loam.engine.report.EventListener;
import org.loam.engine.report.EventListener.FlushBegun;
import org.loam.engine.report.EventListener.FlushEnded;
import org.loam.engine.report.EventListener.LoadBegun;
import org.loam.engine.report.EventListener.LoadEnded;
import org.loam.engine.report.EventListener.MergeBegun;
import org.loam.engine.report.EventListener.MergeEnded;
import org.loam.engine.report.EventListener.StallBegun;
import org.loam.engine.report.EventListener.StallEnded;
import org.loam.engine.report.EventListener.WorkFailed;
import org.loam.lsm.FlushCause;
import org.loam.lsm.WorkObserver;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.version.LiveTable;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.TreeShape;
import org.loam.scheduler.work.StallCause;

/**
 * Makes events of what happens in the engine, for a listener and for the flight recorder of the
 * JVM. Thread-safe; may be called under any lock. Without a listener and a recording it does
 * nothing.
 */
public final class Events implements WorkObserver {
  private final NanoClock clock;
  private final @Nullable EventQueue queue;
  private final FlightEvents flight;
  private final AtomicLong nextId = new AtomicLong();
  private final AtomicBoolean fenced = new AtomicBoolean();

  /**
   * @param directory of the database
   * @param listener null for none
   */
  public Events(StorageEnv env, Path directory, @Nullable EventListener listener) {
    this.clock = env.clock();
    this.flight = new FlightEvents(directory);
    this.queue = listener == null ? null : new EventQueue(env, listener);
  }

  @Override
  public Ending flushBegun(String tree, FlushCause cause, List<MemoryComponent> components) {
    return both(
        flight.flushBegun(tree, cause, components), toldFlushBegun(tree, cause, components));
  }

  private Ending toldFlushBegun(String tree, FlushCause cause, List<MemoryComponent> components) {
    EventQueue events = queue;
    if (events == null) {
      return Ending.NONE;
    }
    long bytes = components.stream().mapToLong(MemoryComponent::usedBytes).sum();
    FlushBegun begun = new FlushBegun(nextId.getAndIncrement(), tree, cause, bytes);
    return told(
        events, begun, EventListener::flushBegun, FlushEnded::new, EventListener::flushEnded);
  }

  @Override
  public Ending mergeBegun(String tree, MergePlan plan, TreeShape shape, boolean move) {
    return both(
        flight.mergeBegun(tree, plan, shape, move), toldMergeBegun(tree, plan, shape, move));
  }

  private Ending toldMergeBegun(String tree, MergePlan plan, TreeShape shape, boolean move) {
    EventQueue events = queue;
    if (events == null) {
      return Ending.NONE;
    }
    MergeBegun begun =
        new MergeBegun(
            nextId.getAndIncrement(),
            tree,
            shape.numberOf(plan.fromLevel()),
            shape.numberOf(plan.targetLevel()),
            plan.inputs().size(),
            plan.inputBytes(),
            move);
    return told(
        events, begun, EventListener::mergeBegun, MergeEnded::new, EventListener::mergeEnded);
  }

  /** A bulk load begins. */
  public Ending loadBegun(String tree) {
    return both(flight.loadBegun(tree), toldLoadBegun(tree));
  }

  private Ending toldLoadBegun(String tree) {
    EventQueue events = queue;
    if (events == null) {
      return Ending.NONE;
    }
    LoadBegun begun = new LoadBegun(nextId.getAndIncrement(), tree);
    return told(events, begun, EventListener::loadBegun, LoadEnded::new, EventListener::loadEnded);
  }

  /** Makes the event of an end. */
  private interface EndOf<B, E> {
    E make(B begun, boolean installed, int tables, long bytes, long entries, long durationNanos);
  }

  /** Tells of a beginning, and later of its end. */
  private <B, E> Ending told(
      EventQueue events,
      B begun,
      BiConsumer<EventListener, B> tellBegun,
      EndOf<B, E> end,
      BiConsumer<EventListener, E> tellEnded) {
    if (!events.tellBeginning(listener -> tellBegun.accept(listener, begun))) {
      return Ending.NONE;
    }
    long start = clock.nanoTime();
    return new Ending() {
      @Override
      public void installed(List<LiveTable> result) {
        tell(true, result);
      }

      @Override
      public void aborted() {
        tell(false, List.of());
      }

      private void tell(boolean installed, List<LiveTable> result) {
        long nanos = clock.nanoTime() - start;
        long bytes = FlightEvents.bytes(result);
        E ended = end.make(begun, installed, result.size(), bytes, entries(result), nanos);
        events.tellEnd(listener -> tellEnded.accept(listener, ended));
      }
    };
  }

  private static Ending both(Ending one, Ending other) {
    if (one == Ending.NONE || other == Ending.NONE) {
      return one == Ending.NONE ? other : one;
    }
    return new Ending() {
      @Override
      public void installed(List<LiveTable> result) {
        one.installed(result);
        other.installed(result);
      }

      @Override
      public void aborted() {
        one.aborted();
        other.aborted();
      }
    };
  }

  private static long entries(List<LiveTable> tables) {
    return tables.stream().mapToLong(table -> table.table().meta().counts().entries()).sum();
  }

  /** A writer begins to wait; returns what takes the time of the wait, null if nothing does. */
  public @Nullable LongConsumer stallBegun(StallCause cause, @Nullable String tree) {
    LongConsumer recorded = flight.stallBegun(cause, tree);
    LongConsumer told = toldStallBegun(cause, tree);
    return recorded == null || told == null
        ? (recorded == null ? told : recorded)
        : recorded.andThen(told);
  }

  private @Nullable LongConsumer toldStallBegun(StallCause cause, @Nullable String tree) {
    EventQueue events = queue;
    if (events == null) {
      return null;
    }
    StallBegun begun = new StallBegun(nextId.getAndIncrement(), tree, cause);
    return events.tellBeginning(listener -> listener.stallBegun(begun))
        ? nanos -> events.tellEnd(listener -> listener.stallEnded(new StallEnded(begun, nanos)))
        : null;
  }

  public void workFailed(boolean flush, StorageException cause, long retryNanos) {
    if (queue != null) {
      WorkFailed failure = new WorkFailed(flush, cause, retryNanos);
      queue.tell(listener -> listener.workFailed(failure));
    }
  }

  /** To be called for each reason; the first is told. */
  public void fenced(Throwable cause) {
    if (queue != null && fenced.compareAndSet(false, true)) {
      queue.tellAlways(listener -> listener.fenced(cause));
    }
  }

  public void diskFull(DiskFullException cause) {
    if (queue != null) {
      queue.tellState(listener -> listener.diskFull(cause));
    }
  }

  public void diskHasRoom() {
    if (queue != null) {
      queue.tellState(EventListener::diskHasRoom);
    }
  }

  /** Whether the caller is a method of the listener. */
  public boolean isTelling() {
    return queue != null && queue.isTelling();
  }

  /** See {@link EventQueue#close}. */
  public void close() {
    if (queue != null) {
      queue.close();
    }
  }
}
