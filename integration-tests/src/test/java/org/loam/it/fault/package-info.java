/**
 * Every single I/O call of a workload fails, in every way it can, or is where the process dies.
 *
 * <p>Read {@link org.loam.it.fault.EveryCallFailsTest} first. Uses: model, engine, simulation.
 */
@NullMarked
package org.loam.it.fault;

import org.jspecify.annotations.NullMarked;
