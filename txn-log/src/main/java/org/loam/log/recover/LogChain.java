package org.loam.log.recover;

import java.util.List;

/**
 * The segments that hold the log, oldest first, as a replay followed them.
 *
 * @param links the segments with the end of their frames
 * @param durableLsn exclusive end LSN that the log itself says was forced; what follows was only
 *     seen, perhaps in the page cache
 */
public record LogChain(List<Link> links, long durableLsn) {
  /**
   * One segment of the log.
   *
   * @param file the segment
   * @param endLsn exclusive end of what counts in it
   */
  public record Link(SegmentFile file, long endLsn) {}

  public LogChain {
    links = List.copyOf(links);
  }
}
