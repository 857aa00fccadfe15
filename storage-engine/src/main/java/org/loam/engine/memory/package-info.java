/**
 * How the pages of an engine are divided between write memory and buffer cache.
 *
 * <p>{@link org.loam.engine.memory.MemoryArbiter} alone changes the two quotas: for a target that a
 * tuner sets, and for what the cache lends to the writes of a host.
 *
 * <p>Invariant: the pages in use never exceed the pool, also while memory moves. Uses: common.
 */
@NullMarked
package org.loam.engine.memory;

import org.jspecify.annotations.NullMarked;
