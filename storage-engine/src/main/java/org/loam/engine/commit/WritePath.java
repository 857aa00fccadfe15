package org.loam.engine.commit;

import org.loam.scheduler.work.StallLog;

/**
 * The parts of the way of a write, for what works beside it.
 *
 * @param faults why flushes and merges fail that writers wait for
 */
public record WritePath(
    CommitLatch latch,
    Committer committer,
    Undos undos,
    Admission admission,
    MemoryPath memory,
    SpaceGuard space,
    StallLog stalls,
    WorkFaults faults) {}
