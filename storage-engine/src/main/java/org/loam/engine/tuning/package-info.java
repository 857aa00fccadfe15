/**
 * What the memory tuner is to an engine.
 *
 * <p>{@link org.loam.engine.tuning.CycleSampler} makes a sample of each cycle from what the engine
 * counts, {@link org.loam.engine.tuning.PageWatch} shows pages to the tuner's ghost cache, {@link
 * org.loam.engine.tuning.WriteWatch} written keys to its sample.
 *
 * <p>Invariant: each count is in the sample of one cycle. Uses: operation, memory, commit, tree,
 * lsm, tuner, cache, log, common.
 */
@NullMarked
package org.loam.engine.tuning;

import org.jspecify.annotations.NullMarked;
