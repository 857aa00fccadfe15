package org.loam.log.recover;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a replay found.
 *
 * @param frames batches delivered
 * @param payloadBytes their payload bytes
 * @param endLsn exclusive end of the log: nothing at or after it counts any more
 * @param cut where and why the log ends, or null if it was closed in order, or is empty
 * @param mark the last mark in the replayed part, or null
 * @param damagedHeaders segments of which one of the two header copies is not valid: the other one
 *     served; a crash while the header was rewritten leaves this too
 */
public record ReplayReport(
    long frames,
    long payloadBytes,
    long endLsn,
    @Nullable Cut cut,
    @Nullable Mark mark,
    List<Path> damagedHeaders) {

  /**
   * The end of a log that was not closed in order.
   *
   * @param segment the file
   * @param offset of the first byte that does not count, in the file
   * @param lsn the same place as an LSN
   * @param reason what was found there and what a frame would have
   * @param discardedFrames frames found behind that place: a suffix that was never made durable
   */
  public record Cut(Path segment, long offset, long lsn, String reason, long discardedFrames) {}

  /**
   * The forced length of a manifest, as the log knows it: a bad edit below it is corruption.
   *
   * @param manifestNumber which manifest file
   * @param forcedBytes its bytes known to be forced
   */
  public record Mark(long manifestNumber, long forcedBytes) {}

  /** Whether the log was closed in order. */
  public boolean sealed() {
    return cut == null;
  }
}
