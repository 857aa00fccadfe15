package org.loam.lsm;

import java.util.function.LongSupplier;
import org.loam.scheduler.merge.MergePolicy;
import org.loam.scheduler.work.ComponentConstraint;
import org.loam.scheduler.work.WriteControl;

/**
 * How a tree behaves.
 *
 * @param levelRatio of a full L1 to the write memory of the tree
 * @param memoryBytes what a tree fills before it is flushed if it is the only one that is written;
 *     its part of that sizes its levels
 */
public record TreeBehaviour(
    MergePolicy mergePolicy,
    ComponentConstraint constraint,
    WriteControl writeControl,
    int levelRatio,
    LongSupplier memoryBytes) {}
