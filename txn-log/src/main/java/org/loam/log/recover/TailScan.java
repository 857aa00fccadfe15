package org.loam.log.recover;

import org.loam.log.format.FrameLayout;

/**
 * Looks for frames behind a bad place. Their place cannot be known, so every 8th byte is tried; a
 * frame shows by carrying its own position.
 */
final class TailScan {
  private long frames;
  private long durableLsn;

  /** Tries every place from {@code lsn} to the end of the segment. */
  void scan(SegmentFile segment, FrameCheck check, SegmentWindow window, long lsn) {
    long limit = segment.header().dataEndLsn() - FrameLayout.HEADER_BYTES;
    for (long at = lsn; at <= limit; at += FrameLayout.ALIGNMENT) {
      if (check.isHeader(at)) {
        frames++;
        long frame = window.at(at, FrameLayout.HEADER_BYTES);
        durableLsn = Math.max(durableLsn, FrameLayout.durableUpTo(frame));
      }
    }
  }

  /** Frames found. */
  long frames() {
    return frames;
  }

  /** The highest LSN that one of them says was durable, 0 if none. */
  long durableLsn() {
    return durableLsn;
  }
}
