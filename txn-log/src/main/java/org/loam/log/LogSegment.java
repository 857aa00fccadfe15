package org.loam.log;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageFile;
import org.loam.common.mem.Mem;
import org.loam.log.format.FrameLayout;
import org.loam.log.format.SegmentHeader;

/**
 * A segment that holds a part of the log, or is about to. It is open and mapped from its
 * preparation until all of it was forced; only the bytes between its header copies are mapped.
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
  private StorageFile.@Nullable Mapping mapping;
  private long mappedLsnOffset;

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
  static LogSegment prepared(StorageFile file, SegmentHeader header) {
    LogSegment segment = new LogSegment(file.path(), header);
    long bytes = header.dataEndLsn() - header.dataStartLsn();
    StorageFile.Mapping mapping = file.map(header.dataStartLsn() - header.baseLsn(), bytes);
    segment.file = file;
    segment.mapping = mapping;
    segment.mappedLsnOffset = mapping.address() - header.dataStartLsn();
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
   * Copies a frame to its place.
   *
   * @param frameHeader the frame's header, {@link FrameLayout#HEADER_BYTES} long
   * @return false if the mapping cannot be reached, so that the frame may not be there
   */
  boolean write(
      long lsn, long frameHeader, long payloadAddress, int payloadLength, PageProbe probe) {
    long frame = mappedLsnOffset + lsn;
    long payload = frame + FrameLayout.HEADER_BYTES;
    if (payloadLength > 0) {
      Mem.copy(payloadAddress, payload, payloadLength);
    }
    Mem.copy(frameHeader, frame, FrameLayout.HEADER_BYTES);
    return probe.reaches(frame, payload + payloadLength);
  }

  /** Makes what was written durable. */
  void force() {
    StorageFile open = file;
    if (open != null) {
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
    StorageFile.Mapping mapped = mapping;
    StorageFile open = file;
    mapping = null;
    file = null;
    if (mapped != null) {
      mapped.close();
    }
    if (open != null) {
      open.close();
    }
  }
}
