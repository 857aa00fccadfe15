package org.loam.lsm;

import java.util.function.LongSupplier;
import org.loam.scheduler.merge.MergePolicy;
import org.loam.scheduler.run.ComponentConstraint;
import org.loam.scheduler.run.WriteControl;

/**
 * How a tree behaves.
 *
 * @param memoryComponentBytes what it is expected to fill before it is flushed; sizes its levels
 */
public record TreeBehaviour(
    MergePolicy mergePolicy,
    ComponentConstraint constraint,
    WriteControl writeControl,
    LongSupplier memoryComponentBytes) {}
