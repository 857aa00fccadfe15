package org.loam.engine.report;

import org.jspecify.annotations.Nullable;

/**
 * What opening found.
 *
 * @param created whether the database was created just now
 * @param cleanlyClosed whether the engine was closed in order the last time
 * @param replayedFrames batches applied from the log
 * @param replayedBytes their bytes
 * @param cut where the log ended in the middle of a frame, and why; null if it did not. What was
 *     acknowledged under the database's durability is before it
 * @param orphansDeleted files that an interrupted flush or merge left behind
 */
public record RecoveryReport(
    boolean created,
    boolean cleanlyClosed,
    long replayedFrames,
    long replayedBytes,
    @Nullable String cut,
    int orphansDeleted) {}
