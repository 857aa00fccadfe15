package org.loam.log.recover;

import org.loam.common.mem.Mem;
import org.loam.log.format.FrameLayout;

/**
 * Looks for frames behind a bad place. Their place cannot be known, so every 8th byte is tried; a
 * frame shows by carrying its own position.
 */
final class TailScan {
  /** How many are skipped at once, at most. */
  private static final long ZEROS_BYTES = 4 << 10;

  private long frames;
  private long durableLsn;

  /** Tries every place from {@code lsn} to the end of the segment. */
  void scan(SegmentFile segment, FrameCheck check, SegmentWindow window, long lsn) {
    long limit = segment.header().dataEndLsn() - FrameLayout.HEADER_BYTES;
    long at = lsn;
    while (at <= limit) {
      long place = window.at(at, FrameLayout.HEADER_BYTES);
      long last = Math.min(limit, at + window.bytesFrom(at) - FrameLayout.HEADER_BYTES);
      while (at <= last) {
        long position = FrameLayout.lsn(place);
        long step = FrameLayout.ALIGNMENT;
        // Most places do not have their own position; the whole check is for those that do.
        if (position == at && check.isHeader(at)) {
          frames++;
          durableLsn = Math.max(durableLsn, FrameLayout.durableUpTo(place));
        } else if (position == 0) {
          // Most of a tail was never written.
          long most = Math.min(ZEROS_BYTES, last - at + FrameLayout.ALIGNMENT);
          step = Mem.zeroBytes(place + FrameLayout.LSN_OFFSET, most);
        }
        at += step;
        place += step;
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
