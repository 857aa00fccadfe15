/**
 * Which components to merge, and when: policies, schedulers and write control.
 *
 * <p>No I/O here: {@code merge} is pure arithmetic over a tree's shape, {@code run} drives flushes
 * and merges, which the trees supply as step machines, through the environment's tasks and clock.
 * The same classes run in a simulation and in production. Uses: common.
 */
@NullMarked
package org.loam.scheduler;

import org.jspecify.annotations.NullMarked;
