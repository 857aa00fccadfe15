package org.loam.log.format;

/**
 * What a segment file holds now. The layout is {@link SegmentHeaderLayout}.
 *
 * @param identity the database's random number; a segment of another log is refused
 * @param slot the number in the file's name
 * @param link this use of the slot; its salt seeds the checksums of the frames, its sequence grows
 *     by at least one with every use of any slot and is 1 for the first of a log
 * @param revision 1 as prepared, one more with each closing; the higher of the two copies counts
 * @param segmentBytes size of the file
 * @param durableUpTo exclusive end LSN known to be forced when the header was written
 * @param closing set when a recovery ended the log in this segment and went on elsewhere
 */
public record SegmentHeader(
    long identity,
    int slot,
    SegmentLink link,
    int revision,
    long segmentBytes,
    long durableUpTo,
    Closing closing) {

  /**
   * Where a life of the log ended and where the next one begins.
   *
   * @param endLsn exclusive end of the frames that count; 0 while open
   * @param next the segment that goes on
   */
  public record Closing(long endLsn, SegmentLink next) {
    /** Still open. */
    public static final Closing NONE = new Closing(0, new SegmentLink(0, 0, 0));
  }

  /** As prepared for new frames. */
  public static SegmentHeader prepared(
      long identity, int slot, long segmentBytes, SegmentLink link, long durableUpTo) {
    return new SegmentHeader(identity, slot, link, 1, segmentBytes, durableUpTo, Closing.NONE);
  }

  /** The same segment, ended by a recovery; or led elsewhere by another one. */
  public SegmentHeader closed(long endLsn, SegmentLink next) {
    return new SegmentHeader(
        identity, slot, link, revision + 1, segmentBytes, endLsn, new Closing(endLsn, next));
  }

  /** Grows with every use of any slot. */
  public long sequence() {
    return link.sequence();
  }

  /** LSN of the file's first byte. */
  public long baseLsn() {
    return link.baseLsn();
  }

  public boolean isClosed() {
    return closing.endLsn() != 0;
  }

  /** LSN of the first frame. */
  public long dataStartLsn() {
    return baseLsn() + SegmentHeaderLayout.BLOCK_BYTES;
  }

  /** Frames end at or before this LSN. */
  public long dataEndLsn() {
    return baseLsn() + segmentBytes - SegmentHeaderLayout.BLOCK_BYTES;
  }

  /** LSN after the file's last byte. */
  public long limitLsn() {
    return baseLsn() + segmentBytes;
  }

  /** What seeds the header checksums of the frames. */
  public int seed() {
    return Checksum.seed(identity, link.salt());
  }
}
