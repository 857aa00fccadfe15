package org.loam.log.recover;

import org.jspecify.annotations.Nullable;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.log.format.Checksum;
import org.loam.log.format.FrameLayout;
import org.loam.log.format.SegmentHeader;

/** Tells whether the bytes at a place of a segment are the frame that belongs there. */
final class FrameCheck {
  private final SegmentFile segment;
  private final SegmentWindow window;
  private final Checksum checksum = new Checksum();
  private final long limitLsn;
  private final int seed;

  FrameCheck(SegmentFile segment, SegmentWindow window) {
    SegmentHeader header = segment.header();
    this.segment = segment;
    this.window = window;
    limitLsn = header.dataEndLsn();
    seed = header.seed();
  }

  /** Whether a frame's header is there; cheap where none is, for scans. */
  boolean isHeader(long lsn) {
    if (lsn + FrameLayout.HEADER_BYTES > limitLsn) {
      return false;
    }
    long frame = window.at(lsn, FrameLayout.HEADER_BYTES);
    return FrameLayout.lsn(frame) == lsn
        && FrameLayout.headerCrc(frame) == FrameLayout.computeHeaderCrc(frame, seed, checksum);
  }

  /**
   * What is wrong with the frame, found and expected, or null if it is whole.
   *
   * @throws UnsupportedFormatException if it is whole, but of a kind that this release lacks
   */
  @Nullable String fault(long lsn) {
    if (lsn + FrameLayout.HEADER_BYTES > limitLsn) {
      return "no room for a frame before the end of the segment";
    }
    long frame = window.at(lsn, FrameLayout.HEADER_BYTES);
    if (FrameLayout.lsn(frame) != lsn) {
      return "found LSN " + FrameLayout.lsn(frame) + " in a frame header, expected " + lsn;
    }
    int headerCrc = FrameLayout.computeHeaderCrc(frame, seed, checksum);
    if (FrameLayout.headerCrc(frame) != headerCrc) {
      return wrong("header checksum", FrameLayout.headerCrc(frame), headerCrc);
    }
    int length = FrameLayout.payloadLength(frame);
    if (length < 0 || lsn + FrameLayout.frameBytes(length) > limitLsn) {
      return "payload length " + length + " does not fit into the segment";
    }
    requireKnown(frame, lsn);
    frame = window.at(lsn, (long) FrameLayout.HEADER_BYTES + length);
    int payloadCrc = checksum.of(frame + FrameLayout.HEADER_BYTES, length);
    if (FrameLayout.payloadCrc(frame) != payloadCrc) {
      return wrong("payload checksum", FrameLayout.payloadCrc(frame), payloadCrc);
    }
    return null;
  }

  private void requireKnown(long frame, long lsn) {
    byte type = FrameLayout.type(frame);
    int flags = FrameLayout.flagsAndReserved(frame);
    if (!FrameLayout.isKnownType(type) || flags != 0) {
      throw new UnsupportedFormatException(
          segment.path()
              + ", LSN "
              + lsn
              + ": log frame of type "
              + type
              + ", flags "
              + flags
              + ", which this release cannot read: use the release that wrote it");
    }
  }

  private static String wrong(String what, int found, int expected) {
    return "found "
        + what
        + " 0x"
        + Integer.toHexString(found)
        + ", expected 0x"
        + Integer.toHexString(expected);
  }
}
