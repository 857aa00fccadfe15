package org.loam.scheduler.work;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Remembers every wait of a writer and its cause; of short ones only the sums. Thread-safe; costs
 * nothing while no writer waits.
 *
 * <pre>{@code
 * StallLog.Stall stall = stalls.begin(StallCause.LOG_FULL, treeId, clock.nanoTime());
 * try {
 *   ... wait ...
 * } finally {
 *   stall.end(clock.nanoTime());
 * }
 * }</pre>
 */
public final class StallLog {
  /** Tree id of a stall that concerns the whole engine. */
  public static final int NO_TREE = -1;

  /**
   * Learns of every stall while it happens. The thread of the writer calls it, and may hold the
   * lock of its gate: so the observer must neither wait nor take a lock of the engine.
   */
  public interface Observer {
    /**
     * A writer begins to wait.
     *
     * @param treeId the tree that makes it wait, or {@link #NO_TREE}
     * @return gets the duration in nanoseconds when the wait is over; null if the observer needs
     *     none
     */
    @Nullable LongConsumer begun(StallCause cause, int treeId);
  }

  private final int keptEvents;
  private final Observer observer;
  private final Object lock = new Object();

  /** Finished stalls only. */
  @GuardedBy("lock")
  private final EnumMap<StallCause, Totals> totals = new EnumMap<>(StallCause.class);

  @GuardedBy("lock")
  private final ArrayDeque<Event> recent = new ArrayDeque<>();

  @GuardedBy("lock")
  private final Map<Long, Stall> active = new LinkedHashMap<>();

  @GuardedBy("lock")
  private long nextId;

  /**
   * A log of no stalls yet.
   *
   * @param keptEvents how many of the last stalls to keep one by one, at least 1
   */
  public StallLog(int keptEvents) {
    this(keptEvents, (cause, treeId) -> null);
  }

  /** A log like {@link #StallLog(int)} that tells an observer of stalls. */
  public StallLog(int keptEvents, Observer observer) {
    this.observer = observer;
    if (keptEvents < 1) {
      throw new IllegalArgumentException("keptEvents is " + keptEvents + ", must be at least 1");
    }
    this.keptEvents = keptEvents;
    for (StallCause cause : StallCause.values()) {
      totals.put(cause, new Totals(0, 0, 0, 0));
    }
  }

  /**
   * A writer begins to wait.
   *
   * @param treeId the tree that makes it wait, or {@link #NO_TREE}
   */
  public Stall begin(StallCause cause, int treeId, long nowNanos) {
    @Nullable LongConsumer ending = observer.begun(cause, treeId);
    synchronized (lock) {
      Stall stall = new Stall(nextId++, cause, treeId, nowNanos, ending);
      active.put(stall.id, stall);
      return stall;
    }
  }

  /**
   * The wait of a writer is over that is paced, or that waited for another writer. Such waits are
   * short and many: only their sums are kept, and the observer does not hear of them.
   */
  public void addBrief(StallCause cause, long durationNanos) {
    synchronized (lock) {
      totals.merge(cause, Totals.of(0, durationNanos), Totals::plus);
    }
  }

  /** All stalls so far; a stall that still goes on counts up to {@code nowNanos}. */
  public Snapshot snapshot(long nowNanos) {
    synchronized (lock) {
      EnumMap<StallCause, Totals> sums = new EnumMap<>(totals);
      for (Stall stall : active.values()) {
        sums.merge(stall.cause, Totals.of(1, nowNanos - stall.startNanos), Totals::plus);
      }
      return new Snapshot(sums, new ArrayList<>(recent));
    }
  }

  /** A wait that is going on. */
  public final class Stall {
    private final long id;
    private final StallCause cause;
    private final int treeId;
    private final long startNanos;
    private final @Nullable LongConsumer ending;

    private Stall(
        long id, StallCause cause, int treeId, long startNanos, @Nullable LongConsumer ending) {
      this.ending = ending;
      this.id = id;
      this.cause = cause;
      this.treeId = treeId;
      this.startNanos = startNanos;
    }

    /** The wait is over. Only the first call counts. */
    public void end(long nowNanos) {
      long duration = nowNanos - startNanos;
      synchronized (lock) {
        if (active.remove(id) == null) {
          return;
        }
        totals.merge(cause, Totals.of(0, duration), Totals::plus);
        if (recent.size() == keptEvents) {
          recent.removeFirst();
        }
        recent.addLast(new Event(cause, treeId, startNanos, duration));
      }
      if (ending != null) {
        ending.accept(duration);
      }
    }
  }

  /**
   * A wait that is over.
   *
   * @param treeId the tree that made the writer wait, or {@link #NO_TREE}
   * @param startNanos when, on the engine's clock
   */
  public record Event(StallCause cause, int treeId, long startNanos, long durationNanos) {}

  /**
   * The stalls of one cause.
   *
   * @param count all of them
   * @param activeCount those still going on
   * @param nanos time that writers waited, summed over writers
   * @param longestNanos the longest single wait
   */
  public record Totals(long count, long activeCount, long nanos, long longestNanos) {
    private static Totals of(long activeCount, long nanos) {
      return new Totals(1, activeCount, nanos, nanos);
    }

    private Totals plus(Totals more) {
      return new Totals(
          count + more.count,
          activeCount + more.activeCount,
          nanos + more.nanos,
          Math.max(longestNanos, more.longestNanos));
    }
  }

  /**
   * A copy of the log.
   *
   * @param totals one entry per cause
   * @param recent the last finished stalls, the latest last
   */
  public record Snapshot(Map<StallCause, Totals> totals, List<Event> recent) {}
}
