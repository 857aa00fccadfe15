package org.loam.log;

import org.loam.common.mem.Mem;

/**
 * Tells whether mapped pages can be reached. A page that the disk cannot deliver raises a signal.
 * The JVM survives it in a copy, which then moves nothing, and throws an {@link InternalError} at
 * some later point; in a checksum, for one, it does not survive. So mapped log segments are touched
 * by copies only, and a probe asks afterwards whether the copies worked.
 *
 * <p>Used by one thread at a time.
 */
final class PageProbe {
  private static final int PAGE_BYTES = 4096;

  private final long scratch;

  /**
   * A probe.
   *
   * @param scratch a byte of unmapped memory
   */
  PageProbe(long scratch) {
    this.scratch = scratch;
  }

  /** Whether every page of the bytes from {@code start} up to {@code end} can be read. */
  boolean reaches(long start, long end) {
    for (long at = start; at < end; at = (at & -PAGE_BYTES) + PAGE_BYTES) {
      if (copied(at, (byte) 0) != copied(at, (byte) -1)) {
        return false;
      }
    }
    return true;
  }

  /** The byte there, or {@code otherwise} if it cannot be read. */
  private byte copied(long address, byte otherwise) {
    Mem.putByte(scratch, otherwise);
    Mem.copy(address, scratch, 1);
    return Mem.getByte(scratch);
  }
}
