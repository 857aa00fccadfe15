package org.loam.engine.commit;

import org.loam.scheduler.work.StallLog;
import org.loam.scheduler.work.WriteGate;

/**
 * The parts of the way of a write, for what works beside it.
 *
 * @param memoryGate of all trees, while a flush is slower than their writers
 * @param faults why flushes and merges fail that writers wait for
 */
public record WritePath(
    CommitLatch latch,
    Committer committer,
    Admission admission,
    MemoryPath memory,
    WriteGate memoryGate,
    SpaceGuard space,
    StallLog stalls,
    WorkFaults faults) {}
