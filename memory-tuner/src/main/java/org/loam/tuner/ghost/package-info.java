/**
 * What a cache of another size would do, from the ids of pages alone.
 *
 * <p>{@link org.loam.tuner.ghost.GhostCache} remembers the pages that left last and counts the
 * reads that a cache larger by so many pages would save: the slope of the cost at the present size.
 * {@link org.loam.tuner.ghost.ReuseSampler} samples how many other pages were used between two uses
 * of a page: the cost at every size. {@link org.loam.tuner.ghost.RewriteSampler} does the same for
 * the keys that are written.
 *
 * <p>They are shared by the threads that read and write. Each takes one plain lock for a few
 * instructions: the ghost cache at an eviction and at a miss, which costs a request of the disk,
 * and the sampler at the few uses that it samples. Nothing is waited for inside of them. Uses:
 * cost.
 */
@NullMarked
package org.loam.tuner.ghost;

import org.jspecify.annotations.NullMarked;
