package org.loam.log;

import org.jspecify.annotations.Nullable;
import org.loam.log.format.SegmentLink;

/**
 * Where a segment is to be prepared.
 *
 * @param reused the free file that becomes the segment; null for a new file
 * @param slot the number of the file
 * @param link the place in the log
 */
record SegmentPlace(FreeSlots.@Nullable Slot reused, int slot, SegmentLink link) {
  /** Takes a free file, or else the number of a new one; and the next place in the log. */
  static SegmentPlace next(FreeSlots free, SegmentNumbers numbers) {
    FreeSlots.Slot reused = free.poll();
    int slot = reused == null ? numbers.nextSlot() : reused.number();
    return new SegmentPlace(reused, slot, numbers.nextLink());
  }
}
