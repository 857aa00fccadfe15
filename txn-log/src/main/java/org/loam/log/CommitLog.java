package org.loam.log;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.StorageException;

/**
 * What an engine needs of a log, Loam's own ({@link TransactionLog}) or one in the place of a
 * host's: to give each batch its LSN, and to keep it if it is the log that answers for it. {@link
 * #append}, marks and {@link #close} are for one thread at a time (the engine's commit latch);
 * everything else is thread-safe.
 *
 * <p>An LSN is a byte position in one endless log. The LSN of a frame is its first byte; an
 * <em>end</em> LSN is exclusive: the byte after it. Durable and published LSNs are end LSNs, so a
 * write is durable once {@code durableLsn() >= endLsn of its frame}.
 */
public interface CommitLog extends AutoCloseable {
  /** LSNs are below it: write memory keeps them in 56 bits. 72 PB of log come to there. */
  long LSN_LIMIT = 1L << 56;

  /** How an append ended. */
  enum Appended {
    /** The frame is written; {@link #lastLsn} is its LSN, and {@link #endLsn} its end. */
    DONE,
    /** Nothing was written. */
    NO_ROOM
  }

  /**
   * Whether a host has the log that answers for writes: what is appended here is not kept, and
   * {@link #append} may be given an empty payload.
   */
  boolean isHosted();

  /** Exclusive end of the last frame appended. */
  long endLsn();

  /** Exclusive end of what survives power loss; never goes back. */
  long durableLsn();

  /**
   * Waits until everything below an end LSN survives power loss.
   *
   * @param endLsn at most {@link #endLsn()}
   * @param deadlineNanos on the environment's clock; {@code Long.MAX_VALUE} waits without limit
   * @return false if the deadline passed first; the bytes may still become durable
   * @throws org.loam.common.error.FencedException if they cannot any more; the cause is kept
   * @throws org.loam.common.error.ClosedException if the log was closed first
   */
  boolean awaitDurable(long endLsn, long deadlineNanos);

  /** Written bytes since the truncation LSN; what a recovery would read. */
  long lengthBytes();

  /**
   * Bytes of the frames that were appended since the start. LSNs go further in the same time: no
   * frame lies at the ends of segments. If a host has the log, by how many LSNs it has grown.
   */
  long writtenBytes();

  /**
   * Why the last attempt to make the next segment failed; null if it succeeded. Another one begins
   * when a file gets free, or when an append needs the segment.
   */
  @Nullable StorageException segmentFault();

  /**
   * Gives up everything below an LSN. Only after whatever needed it is durable elsewhere and a
   * replay would start at or after it. An LSN below an earlier one has no effect.
   *
   * @param lsn at most {@link #durableLsn()}
   */
  void truncate(long lsn);

  /**
   * Keeps what the log has on disk, to copy a part of it; until the hold is closed.
   *
   * @throws UnsupportedOperationException if a host has the log
   */
  Hold hold();

  /** The highest LSN given to {@link #truncate}, or where the log began. */
  long truncationLsn();

  /**
   * Appends a batch.
   *
   * @param payloadAddress a {@link org.loam.log.format.BatchPayload}; copied during the call
   * @param payloadLength from 1 to {@link LogConfig#maxPayloadBytes}
   * @param payloadCrc its CRC32C, computed outside of the commit latch
   * @return after {@link Appended#NO_ROOM} leave the latch, {@link #awaitRoom}, try again
   * @throws org.loam.common.error.FencedException if the log is fenced; the frame does not count
   */
  Appended append(long payloadAddress, int payloadLength, int payloadCrc);

  /**
   * Appends a mark: so many bytes of a manifest are known to be forced. To be called after each of
   * its forces. It is advice: where there is no room for it, the next one says more.
   *
   * @param manifestNumber which manifest file
   * @return like {@link #append}
   */
  Appended mark(long manifestNumber, long forcedBytes);

  /** The LSN of the frame that was appended last. Under the commit latch. */
  long lastLsn();

  /**
   * Keeps room for a mark that must not fail, until {@link #keptMark} or {@link #releaseMark}.
   * Under the commit latch, as these.
   *
   * @param manifestNumber for a mark now, if it takes another segment; like {@code forcedBytes}
   * @return false if there is no room: leave the latch, {@link #awaitMarkRoom}, try again
   */
  boolean keepMark(long manifestNumber, long forcedBytes);

  /** Appends a mark in the room that was kept for it; returns its LSN. */
  long keptMark(long manifestNumber, long forcedBytes);

  /** Gives up the room that was kept for a mark. */
  void releaseMark();

  /**
   * Waits until an append of that length may succeed; another thread may take the room first. Not
   * under the commit latch.
   *
   * @param deadlineNanos on the environment's clock; {@code Long.MAX_VALUE} waits without limit
   * @return false if the deadline passed: the log is at its maximum length, or no segment is ready
   * @throws org.loam.common.error.DiskFullException with needed and free bytes, if that is what
   *     keeps the next segment from being made; every call tries again
   * @throws org.loam.common.error.StorageIoException if another fault does
   * @throws org.loam.common.error.FencedException if the log is fenced
   */
  boolean awaitRoom(int payloadLength, long deadlineNanos);

  /**
   * Waits until {@link #keepMark} may succeed, like {@link #awaitRoom}. The maximum length of the
   * log does not hold marks back.
   *
   * @return false if the deadline passed: no segment is ready
   */
  boolean awaitMarkRoom(long deadlineNanos);

  /**
   * Changes {@link LogConfig#maxLogBytes}, also for threads that already wait for room. A log that
   * is longer takes no frames until it has been truncated.
   */
  void setMaxLogBytes(long bytes);

  /** Stops taking frames for good, because a fault elsewhere could have lost a write. */
  void fence(Throwable cause);

  /**
   * Sets the listener that gets the fault after which the log stops taking frames. The thread that
   * finds the fault calls the listener. If the log has stopped already, this call does so at once.
   * The listener may be called twice.
   */
  void onFenced(Consumer<Throwable> listener);

  /** Whether the log has stopped taking frames after a fault. */
  boolean isFenced();

  /**
   * Ends it; no other thread may append any more.
   *
   * @throws org.loam.common.error.FencedException if the last force failed; all is released then
   */
  @Override
  void close();

  /**
   * Keeps the files of all segments that hold a running log, so that a part of it can be copied:
   * from its beginning to its close no segment is used again or deleted, whatever is truncated. The
   * log takes new files meanwhile. For one thread.
   */
  interface Hold extends AutoCloseable {
    /**
     * Copies the log from one LSN up to another into a directory, and seals the copy: it replays as
     * a log that was closed at the end LSN. Contents are durable on return, names are not.
     *
     * @param files of the copy
     * @param fromLsn at or above the truncation LSN when the hold began
     * @param endLsn exclusive; durable
     * @param betweenPieces runs again and again, and ends the copying by an exception
     * @return bytes of the frames, at most
     */
    long copy(
        StorageFiles files, Path directory, long fromLsn, long endLsn, Runnable betweenPieces);

    /** Ends the hold: what was truncated meanwhile is free now. */
    @Override
    void close();
  }
}
