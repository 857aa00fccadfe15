package org.loam.engine.host;

/**
 * The log of a program that has transactions and a log of its own, and keeps its data in the
 * engine. An engine that is opened with it ({@code OpenOptions.withHostLog}) has no log: what is in
 * memory only is gone after a crash, and the host writes it again.
 *
 * <p>The parts in this:
 *
 * <ul>
 *   <li>The host logs a write before it makes it. Where a transaction is rolled back, it takes the
 *       writes back with {@link HostTree#undo}; its locks keep others from what may be taken back.
 *   <li>Memory goes to disk only when the host says so, with {@link HostTree#beginFlush}, {@code
 *       Tree.flush} or {@code Engine.flush}. It may say so while every write made so far belongs to
 *       a transaction whose end is in its log for good: then nothing on disk ever has to be undone.
 *       The engine says when it would like that, by {@link #flushWanted}.
 *   <li>Once {@link HostTree#awaitFlushed} has returned, the host may forget its log records of the
 *       writes before {@link HostTree#beginFlush}. After a crash it makes all later writes again,
 *       in their order; that some of them are on disk already does no harm.
 *   <li>{@code Engine.close} does not flush.
 * </ul>
 *
 * <p>Thread-safe. No method may wait, or call the engine.
 */
public interface HostLog {
  /**
   * Exclusive end of the log, below 2^56. Never goes back, not even over a crash. Writes have LSNs
   * at or above what it is when they are made, so that the order of two flushes is that of the log.
   */
  long endLsn();

  /** Length of what the host would read after a crash; {@code log.maxBytes} should bound it. */
  long lengthBytes();

  /**
   * A tree should be flushed soon: because write memory is short, and the unit of the tree has most
   * of it or the oldest, as the flush policy says; or because the log is long. Said again and again
   * until it has happened. Writers that find no memory at all wait for it if the flush has begun;
   * before that, since they may be what it waits for, the buffer cache lends them some.
   *
   * @param tree its name
   */
  void flushWanted(String tree);

  /**
   * The trees that the host flushes together have the same unit: what is to be flushed is chosen by
   * units, and each tree of one that is chosen is wanted. Asked often, under locks of the engine.
   *
   * @param tree its name
   * @return the name if the tree is flushed alone
   */
  default String flushUnit(String tree) {
    return tree;
  }

  /**
   * The engine takes no more writes after a fault, and begins no flush; what is in memory is in the
   * host's log. Told once, at once, and perhaps under locks of the engine; must not throw.
   */
  void fenced(Throwable cause);
}
