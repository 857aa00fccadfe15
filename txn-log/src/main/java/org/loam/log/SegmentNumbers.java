package org.loam.log;

import org.loam.log.format.SegmentLink;

/**
 * The numbers that segments get: slots, sequence numbers, LSNs and salts. Each is given once, even
 * if the attempt that got it fails: what such an attempt left on disk can then not be mistaken for
 * anything. For one thread at a time.
 */
final class SegmentNumbers {
  private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;

  private final long segmentBytes;
  private final long saltSeed;
  private int slot;
  private long sequence;
  private long baseLsn;

  /**
   * @param segmentBytes distance of the base LSNs
   * @param saltSeed a random number
   * @param slot the first to give, like {@code sequence} and {@code baseLsn}
   */
  SegmentNumbers(long segmentBytes, long saltSeed, int slot, long sequence, long baseLsn) {
    this.segmentBytes = segmentBytes;
    this.saltSeed = saltSeed;
    this.slot = slot;
    this.sequence = sequence;
    this.baseLsn = baseLsn;
  }

  /** The slot of a new file. */
  int nextSlot() {
    return slot++;
  }

  /** The next place in the log. */
  SegmentLink nextLink() {
    SegmentLink link = new SegmentLink(baseLsn, sequence, salt());
    sequence++;
    baseLsn += segmentBytes;
    return link;
  }

  private long salt() {
    long z = saltSeed + sequence * GOLDEN_RATIO;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
