package org.loam.log;

/**
 * What a running log consists of.
 *
 * @param config settings
 * @param live segments that hold the log
 * @param slots all other segments
 * @param preparer the preparing thread's work
 * @param commit the committing thread's work
 * @param fence whether frames are still taken
 * @param progress end and durable LSN
 */
record LogParts(
    LogConfig config,
    LiveSegments live,
    SegmentSlots slots,
    SegmentPreparer preparer,
    GroupCommit commit,
    LogFence fence,
    LogProgress progress) {
  /** See {@link CommitLog#writtenBytes}. */
  long writtenBytes() {
    // The end first: the frames of a segment count only once it is known where they begin.
    long endLsn = progress.endLsn();
    return live.writtenBytes(endLsn);
  }
}
