/**
 * Which components to merge, and when: policies, schedulers and write control.
 *
 * <p>No I/O here: {@code merge} is pure arithmetic over a tree's shape, {@code work} drives flushes
 * and merges, which the trees supply as step machines, through the environment's tasks and clock.
 * The same classes drive a simulation and an engine in production. Uses: common.
 */
@NullMarked
package org.loam.scheduler;

import org.jspecify.annotations.NullMarked;
