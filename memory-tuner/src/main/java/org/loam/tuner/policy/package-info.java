/**
 * Where the split should go: each policy derives a decision from the sample of a cycle and from
 * what it remembers of earlier ones.
 *
 * <p>{@link org.loam.tuner.policy.PaperPolicy} is the tuner of MemoryWalls §5.4, which goes down
 * the slope at the present split. {@link org.loam.tuner.policy.CurvePolicy} looks at all splits.
 * Whatever the origin of a step, {@link org.loam.tuner.policy.Limits} bounds it, and the decision
 * names the rule that did.
 *
 * <p>A policy reads no clock, does no I/O and moves nothing. It belongs to one thread. Uses: cost.
 */
@NullMarked
package org.loam.tuner.policy;

import org.jspecify.annotations.NullMarked;
