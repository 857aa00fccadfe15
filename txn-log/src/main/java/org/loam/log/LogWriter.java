package org.loam.log;

import org.jspecify.annotations.Nullable;
import org.loam.common.env.TaskRunner;
import org.loam.common.env.TaskRunner.Task;
import org.loam.common.error.ClosedException;
import org.loam.common.error.StorageException;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Mem;
import org.loam.log.CommitLog.Appended;
import org.loam.log.format.Checksum;
import org.loam.log.format.FrameLayout;
import org.loam.log.format.SegmentLink;

/** The appending side of a started log; contracts are those of {@link TransactionLog}. */
final class LogWriter {
  /**
   * Scratch memory: a frame's header; the payload of a frame that ends a segment, which may have to
   * be written while a mark waits; the payload of a mark; a byte of the probe.
   */
  private static final int LINK_OFFSET = FrameLayout.HEADER_BYTES;

  private static final int MARK_OFFSET = LINK_OFFSET + FrameLayout.SEGMENT_END_PAYLOAD_BYTES;
  private static final int PROBE_OFFSET = MARK_OFFSET + FrameLayout.MARK_PAYLOAD_BYTES;
  private static final int SCRATCH_BYTES = PROBE_OFFSET + 1;
  private static final long MARK_BYTES = FrameLayout.frameBytes(FrameLayout.MARK_PAYLOAD_BYTES);

  private final LogParts parts;
  private final LogFence fence;
  private final LogProgress progress;
  private final Checksum checksum = new Checksum();
  private final long scratch = Mem.allocate(SCRATCH_BYTES, Long.BYTES, "log control frames");
  private final int smallGroupBytes;

  /** A frame in one piece. */
  private final long whole;

  private final PageProbe probe = new PageProbe(scratch + PROBE_OFFSET);
  private volatile long maxLogBytes;
  private final int maxPayloadBytes;
  private final long forceBytes;
  private @Nullable Task committer;
  private @Nullable Task preparer;
  private volatile LogSegment current;

  /** The LSN of the frame that was appended last. Changes under the commit latch. */
  private long lastLsn;

  /** End of what {@link #request} was last called with; for the appending thread. */
  private long requestedLsn;

  /** Room in the current segment that is left to marks. Changes under the commit latch. */
  private volatile long keptBytes;

  private volatile boolean closed;

  LogWriter(LogParts parts, LogSegment first) {
    this.parts = parts;
    fence = parts.fence();
    progress = parts.progress();
    maxLogBytes = parts.config().maxLogBytes();
    maxPayloadBytes = parts.config().maxPayloadBytes();
    forceBytes = parts.config().forceBytes();
    smallGroupBytes = parts.config().smallGroupBytes();
    whole = Mem.allocate(smallGroupBytes, Long.BYTES, "log frames in one piece");
    current = first;
    requestedLsn = progress.endLsn();
  }

  /** Starts the background threads; if that fails, all is released. */
  void startThreads(TaskRunner tasks) {
    boolean started = false;
    try {
      preparer = tasks.start("loam-log-segments", parts.preparer()::run);
      committer = tasks.start("loam-log-commit", parts.commit()::run);
      started = true;
    } finally {
      if (!started) {
        fence.raise(new IllegalStateException("the log's threads could not be started"));
        close();
      }
    }
  }

  /** Takes over the maximum length of other settings; the rest of them must be as before. */
  void limit(LogConfig config) {
    maxLogBytes = config.maxLogBytes();
    parts.slots().retain(config.retainedSegments());
  }

  Appended append(long payloadAddress, int payloadLength, int payloadCrc) {
    if (payloadLength <= 0 || payloadLength > maxPayloadBytes) {
      throw new IllegalArgumentException(
          "payloadLength is " + payloadLength + ", must be from 1 to " + maxPayloadBytes);
    }
    long endLsn = progress.endLsn();
    if (parts.live().lengthBytes(endLsn) + FrameLayout.frameBytes(payloadLength) > maxLogBytes) {
      requireOpen();
      return Appended.NO_ROOM;
    }
    return write(FrameLayout.BATCH, payloadAddress, payloadLength, payloadCrc);
  }

  Appended mark(long manifestNumber, long forcedBytes) {
    // Not held back by the length limit: a flush needs it to make the log shorter.
    long payload = scratch + MARK_OFFSET;
    Mem.putLong(payload, manifestNumber);
    Mem.putLong(payload + 8, forcedBytes);
    int length = FrameLayout.MARK_PAYLOAD_BYTES;
    return write(FrameLayout.MARK, payload, length, checksum.of(payload, length));
  }

  boolean keepMark(long manifestNumber, long forcedBytes) {
    requireOpen();
    if (!fits(current, progress.endLsn(), MARK_BYTES)
        && mark(manifestNumber, forcedBytes) == Appended.NO_ROOM) {
      return false;
    }
    // If a mark was written, the segment is a fresh one.
    keep(keptBytes + MARK_BYTES);
    return true;
  }

  long keptMark(long manifestNumber, long forcedBytes) {
    keep(keptBytes - MARK_BYTES);
    if (mark(manifestNumber, forcedBytes) == Appended.NO_ROOM) {
      throw new AssertionError("the room that was kept for a mark is not there");
    }
    return lastLsn;
  }

  void releaseMark() {
    keep(keptBytes - MARK_BYTES);
    parts.slots().wake();
  }

  long lastLsn() {
    return lastLsn;
  }

  private void keep(long bytes) {
    keptBytes = bytes;
  }

  private void requireOpen() {
    if (closed) {
      throw new ClosedException("the log was closed");
    }
    fence.check();
  }

  private Appended write(byte type, long payloadAddress, int payloadLength, int payloadCrc) {
    requireOpen();
    LogSegment segment = current;
    long lsn = progress.endLsn();
    long frameBytes = FrameLayout.frameBytes(payloadLength);
    if (!fits(segment, lsn, frameBytes)) {
      LogSegment next = switchSegment(segment, lsn);
      if (next == null) {
        return Appended.NO_ROOM;
      }
      segment = next;
      lsn = segment.header().dataStartLsn();
    } else if (lsn - requestedLsn >= forceBytes) {
      request(lsn);
    }
    put(segment, lsn, type, payloadAddress, payloadLength, payloadCrc);
    progress.ended(lsn + frameBytes);
    lastLsn = lsn;
    return Appended.DONE;
  }

  /** Puts a frame into a segment; one that may not have got there does not count. */
  private void put(
      LogSegment segment, long lsn, byte type, long payloadAddress, int length, int payloadCrc) {
    FrameLayout.writeHeader(
        scratch, type, length, payloadCrc, lsn, progress.durableLsn(), segment.seed(), checksum);
    try {
      int frameLength = FrameLayout.HEADER_BYTES + length;
      if (isForcedOften(lsn + frameLength)) {
        Mem.copy(scratch, whole, FrameLayout.HEADER_BYTES);
        Mem.copy(payloadAddress, whole + FrameLayout.HEADER_BYTES, length);
        segment.writeWhole(lsn, whole, frameLength);
        return;
      }
      if (segment.write(lsn, scratch, payloadAddress, length, probe)) {
        return;
      }
      raise(new StorageIoException("a mapped page of " + segment.path() + " cannot be reached"));
    } catch (StorageException | InternalError e) {
      raise(e);
    }
    fence.check();
  }

  /**
   * Whether a frame is written by a system call. A store to a mapped page makes all of its folio in
   * the page cache dirty, which may be a whole window, and a force writes all of that; a system
   * call makes only the blocks dirty that it writes, but takes longer than a copy. So it is worth
   * its time as long as groups are small, this one and the one before.
   */
  private boolean isForcedOften(long frameEndLsn) {
    return frameEndLsn - progress.durableLsn() <= smallGroupBytes
        && parts.commit().lastGroupBytes() <= smallGroupBytes;
  }

  /** Room for the frame that ends the segment stays free, and for marks that must not fail. */
  private boolean fits(LogSegment segment, long lsn, long frameBytes) {
    long bytes = frameBytes + keptBytes + FrameLayout.END_RESERVE_BYTES;
    return lsn + bytes <= segment.dataEndLsn();
  }

  /** Ends the current segment with the name of the next one; null if none is ready. */
  private @Nullable LogSegment switchSegment(LogSegment segment, long lsn) {
    LogSegment next = parts.slots().peekReady();
    if (next == null) {
      return null;
    }
    SegmentLink link = next.header().link();
    long payload = scratch + LINK_OFFSET;
    Mem.putLong(payload, link.baseLsn());
    Mem.putLong(payload + 8, link.sequence());
    Mem.putLong(payload + 16, link.salt());
    int length = FrameLayout.SEGMENT_END_PAYLOAD_BYTES;
    int crc = checksum.of(payload, length);
    put(segment, lsn, FrameLayout.SEGMENT_END, payload, length, crc);
    parts.live().advance(lsn + FrameLayout.frameBytes(length), next);
    // Before it is taken, which wakes the writers that wait for room: they look at both.
    current = next;
    parts.slots().takeReady();
    request(lsn);
    return next;
  }

  /**
   * Asks for a force of bytes that no thread waits for yet, so that a flush that needs them durable
   * finds little left to force.
   */
  private void request(long endLsn) {
    requestedLsn = endLsn;
    parts.commit().request(endLsn);
  }

  boolean awaitRoom(int payloadLength, long deadlineNanos) {
    long frameBytes = FrameLayout.frameBytes(payloadLength);
    return parts.slots().awaitRoom(() -> hasRoom(frameBytes), deadlineNanos);
  }

  boolean awaitMarkRoom(long deadlineNanos) {
    return parts.slots().awaitRoom(() -> hasSegmentFor(MARK_BYTES), deadlineNanos);
  }

  private boolean hasRoom(long frameBytes) {
    return parts.live().lengthBytes(progress.endLsn()) + frameBytes <= maxLogBytes
        && hasSegmentFor(frameBytes);
  }

  private boolean hasSegmentFor(long frameBytes) {
    return fits(current, progress.endLsn(), frameBytes) || parts.slots().peekReady() != null;
  }

  /** Stops taking frames for good. */
  void raise(Throwable cause) {
    fence.raise(cause);
    parts.commit().wake();
    parts.slots().wake();
  }

  void close() {
    if (closed) {
      return;
    }
    try {
      // No more segments are needed; sealing takes room that is kept free.
      parts.slots().stop();
      if (!fence.isRaised()) {
        seal();
      }
    } finally {
      closed = true;
      try {
        endThreads();
        parts.live().unforced().forEach(LogSegment::release);
        parts.slots().release();
      } finally {
        parts.preparer().close();
        Mem.free(whole);
        Mem.free(scratch);
      }
    }
  }

  private void endThreads() {
    parts.commit().stop();
    join(committer);
    join(preparer);
  }

  private static void join(@Nullable Task task) {
    if (task != null) {
      task.join();
    }
  }

  private void seal() {
    // Forced before the seal is written, because the seal says that all before it was.
    parts.commit().await(progress.endLsn(), Long.MAX_VALUE);
    long lsn = progress.endLsn();
    put(current, lsn, FrameLayout.SEAL, scratch, 0, 0);
    progress.ended(lsn + FrameLayout.frameBytes(0));
    parts.commit().await(progress.endLsn(), Long.MAX_VALUE);
  }
}
