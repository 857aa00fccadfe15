package org.loam.engine.report;

import org.jspecify.annotations.Nullable;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.StorageException;
import org.loam.lsm.FlushCause;
import org.loam.scheduler.work.StallCause;

/**
 * Is told what an engine does in the background and what goes wrong, as it happens; given at open
 * with {@code OpenOptions}. Override what is of interest. Later versions may have more methods, and
 * more in each event: only the engine makes events.
 *
 * <p>One thread of the engine's tells one event after the other, in the order in which things
 * happened, and holds no lock of the engine: a method may call the engine, even close it, and may
 * take its time without holding up the engine. Meanwhile a limited number of events waits; more are
 * dropped and {@link #eventsDropped} says how many. What is told to have begun is always told to
 * have ended too. {@link #fenced} is never dropped, nor is the last of the changes between {@link
 * #diskFull} and {@link #diskHasRoom}. What a method throws is logged and does no harm.
 *
 * <p>{@code Engine.close} returns when all events are told, or after five seconds; nothing is told
 * after it has returned. A listener that closes the engine is told the rest within that call.
 */
public interface EventListener {
  /**
   * A flush begins.
   *
   * @param id of no other flush, merge, load or stall of this engine
   * @param cause why the component was frozen
   * @param bytes of memory that it will free
   */
  record FlushBegun(long id, String tree, FlushCause cause, long bytes) {}

  /**
   * A flush has ended.
   *
   * @param installed whether its result counts; if not it failed, its tree was dropped or the
   *     engine was closed, and nothing of it stays
   * @param tables SSTables written
   * @param bytes their size
   * @param entries what is in them
   */
  record FlushEnded(
      FlushBegun begun,
      boolean installed,
      int tables,
      long bytes,
      long entries,
      long durationNanos) {}

  /**
   * A merge begins.
   *
   * @param id of no other flush, merge, load or stall of this engine
   * @param fromLevel the newest level that gives tables, 0 for L0
   * @param toLevel the level that takes the result; the same one where a compaction rewrites tables
   *     of the last level
   * @param tables SSTables that go into it
   * @param bytes their size
   * @param move whether nothing is read or written: one table only changes its level
   */
  record MergeBegun(
      long id, String tree, int fromLevel, int toLevel, int tables, long bytes, boolean move) {}

  /**
   * A merge has ended.
   *
   * @param installed whether its result counts; if not it failed, its tree was dropped or the
   *     engine was closed, and nothing of it stays
   * @param tables SSTables of the result
   * @param bytes their size
   * @param entries what is in them
   */
  record MergeEnded(
      MergeBegun begun,
      boolean installed,
      int tables,
      long bytes,
      long entries,
      long durationNanos) {}

  /**
   * A bulk load begins.
   *
   * @param id of no other flush, merge, load or stall of this engine
   */
  record LoadBegun(long id, String tree) {}

  /**
   * A bulk load has ended.
   *
   * @param installed whether its entries count; if not there were none, it failed, was closed, its
   *     tree was dropped or the engine was closed
   * @param tables SSTables written
   * @param bytes their size
   * @param entries what is in them
   */
  record LoadEnded(
      LoadBegun begun,
      boolean installed,
      int tables,
      long bytes,
      long entries,
      long durationNanos) {}

  /**
   * A writer has to wait.
   *
   * @param id of no other flush, merge, load or stall of this engine
   * @param tree the tree that makes it wait, null if it is the whole engine
   */
  record StallBegun(long id, @Nullable String tree, StallCause cause) {}

  /** A writer waits no longer, because it goes on, gave up or was refused. */
  record StallEnded(StallBegun begun, long durationNanos) {}

  /**
   * A flush or merge failed; it is tried again.
   *
   * @param flush whether it was a flush, else a merge
   * @param retryNanos when, at the earliest
   */
  record WorkFailed(boolean flush, StorageException cause, long retryNanos) {}

  default void flushBegun(FlushBegun flush) {}

  default void flushEnded(FlushEnded flush) {}

  default void mergeBegun(MergeBegun merge) {}

  default void mergeEnded(MergeEnded merge) {}

  default void loadBegun(LoadBegun load) {}

  default void loadEnded(LoadEnded load) {}

  default void stallBegun(StallBegun stall) {}

  default void stallEnded(StallEnded stall) {}

  default void workFailed(WorkFailed failure) {}

  /** The engine takes no more writes until it is opened again. Told once, never dropped. */
  default void fenced(Throwable cause) {}

  /**
   * A flush or merge found the disk full; writes are refused until there is room. If events are
   * dropped, earlier changes may be among them, but not the last one: what is told last, this or
   * {@link #diskHasRoom}, holds.
   */
  default void diskFull(DiskFullException cause) {}

  /**
   * A write found that there is room on the disk again; writes are taken. If events are dropped,
   * the {@link #diskFull} before may be among them.
   */
  default void diskHasRoom() {}

  /** So many events were dropped at this point, because those before had not been told yet. */
  default void eventsDropped(long count) {}
}
