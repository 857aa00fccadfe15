/**
 * Schedules of a whole engine, tiny and fresh in each of them, down to single accesses of shared
 * memory: what its parts' own schedule tests cannot see is how they are put together.
 *
 * <p>A trial takes the seed of one schedule. Run in instrumented code, see {@link
 * org.loam.common.sim.LoamClassLoader}. Every key has one writer, so each answer is checked
 * exactly: see {@link org.loam.it.schedule.OwnedKeys}.
 */
@NullMarked
package org.loam.it.schedule;

import org.jspecify.annotations.NullMarked;
