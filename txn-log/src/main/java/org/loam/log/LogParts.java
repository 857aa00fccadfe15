package org.loam.log;

/**
 * What a running log consists of.
 *
 * @param config settings
 * @param files file operations of the preparing thread
 * @param live segments that hold the log
 * @param slots all other segments
 * @param commit the committing thread's work
 * @param fence whether frames are still taken
 * @param progress end and durable LSN
 */
record LogParts(
    LogConfig config,
    SegmentFiles files,
    LiveSegments live,
    SegmentSlots slots,
    GroupCommit commit,
    LogFence fence,
    LogProgress progress) {}
