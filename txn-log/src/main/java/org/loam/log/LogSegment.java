package org.loam.log;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageFile;
import org.loam.log.format.FrameLayout;
import org.loam.log.format.SegmentHeader;

/**
 * A segment that holds a part of the log, or is about to. It is open and mapped from its
 * preparation until all of it was forced; see {@link SegmentWindows}.
 *
 * <p>It passes from the preparing thread through the appending thread, which writes frames, to the
 * committing thread, which forces and releases it. {@link SegmentSlots} and {@link LiveSegments}
 * hand it over.
 */
final class LogSegment {
  private final Path path;
  private final SegmentHeader header;
  private final int seed;
  private final long dataEndLsn;
  private @Nullable StorageFile file;
  private @Nullable SegmentWindows windows;

  /** Exclusive end of the frames once no more are written; guarded by {@link LiveSegments}. */
  private long endLsn;

  /** Whether all of it was forced and it is closed; guarded by {@link LiveSegments}. */
  private boolean retired;

  private LogSegment(Path path, SegmentHeader header) {
    this.path = path;
    this.header = header;
    seed = header.seed();
    dataEndLsn = header.dataEndLsn();
  }

  /** A segment of an earlier life of the log: forced, not open. */
  static LogSegment recovered(Path path, SegmentHeader header, long endLsn) {
    LogSegment segment = new LogSegment(path, header);
    segment.endLsn = endLsn;
    segment.retired = true;
    return segment;
  }

  /** A segment for new frames; takes over the open file. */
  static LogSegment prepared(StorageFile file, SegmentHeader header, int windowBytes) {
    LogSegment segment = new LogSegment(file.path(), header);
    segment.windows = SegmentWindows.map(file, header, windowBytes);
    segment.file = file;
    return segment;
  }

  Path path() {
    return path;
  }

  SegmentHeader header() {
    return header;
  }

  /** Frames end at or before this LSN. */
  long dataEndLsn() {
    return dataEndLsn;
  }

  /** What the header checksums of its frames are combined with. */
  int seed() {
    return seed;
  }

  /**
   * Copies a frame to its place, behind all others.
   *
   * @param frameHeader the frame's header, {@link FrameLayout#HEADER_BYTES} long
   * @return false if the mapping cannot be reached, so that the frame may not be there
   */
  boolean write(
      long lsn, long frameHeader, long payloadAddress, int payloadLength, PageProbe probe) {
    SegmentWindows mapped = windows;
    if (mapped == null) {
      throw new AssertionError(path + " is not mapped");
    }
    long payloadLsn = lsn + FrameLayout.HEADER_BYTES;
    mapped.put(payloadLsn, payloadAddress, payloadLength);
    mapped.put(lsn, frameHeader, FrameLayout.HEADER_BYTES);
    boolean written = mapped.reaches(lsn, payloadLsn + payloadLength, probe);
    mapped.pass(payloadLsn + payloadLength);
    return written;
  }

  /**
   * Writes a frame to its place, behind all others, by a system call.
   *
   * @param frame all of it in one piece
   * @throws org.loam.common.error.StorageException if the frame may not be there
   */
  void writeWhole(long lsn, long frame, int length) {
    SegmentWindows mapped = windows;
    StorageFile open = file;
    if (mapped == null || open == null) {
      throw new AssertionError(path + " is not open");
    }
    open.write(lsn - header.baseLsn(), frame, length);
    mapped.pass(lsn + length);
  }

  /** Makes what was written durable. */
  void force() {
    SegmentWindows mapped = windows;
    StorageFile open = file;
    if (mapped != null && open != null) {
      mapped.closePassed();
      open.force();
    }
  }

  void finish(long frameEndLsn) {
    endLsn = frameEndLsn;
  }

  long endLsn() {
    return endLsn;
  }

  void retire() {
    retired = true;
  }

  boolean isRetired() {
    return retired;
  }

  /** Ends mapping and file; no frame may be written any more. */
  void release() {
    SegmentWindows mapped = windows;
    StorageFile open = file;
    windows = null;
    file = null;
    if (mapped != null) {
      mapped.close();
    }
    if (open != null) {
      open.close();
    }
  }
}
