/**
 * A seeded simulation of {@code org.loam.common.env}: a disk, a clock, threads, chance. Other
 * modules use it through the test jar.
 *
 * <p>Threads are real, but exactly one runs at a time, and only at a call of the environment can
 * another one take over; the seed says which. So one seed replays a whole run, and code under
 * simulation runs at full speed in between. In classes that a {@link
 * org.loam.common.sim.LoamClassLoader} has instrumented, accesses to memory that threads share are
 * such calls as well: {@link org.loam.common.sim.Schedules} explores their orders. A crash throws
 * every thread out and leaves on the disk what a real one might: {@link
 * org.loam.common.sim.SimInode} and {@link org.loam.common.sim.Namespace} hold the model of what is
 * durable when.
 *
 * <p>Read {@link org.loam.common.sim.Simulation} first: it is what a test uses, with {@link
 * org.loam.common.sim.FaultPlan} and {@link org.loam.common.sim.SimDisk}. Then {@link
 * org.loam.common.sim.Baton}, which passes control, and {@link org.loam.common.sim.SimIo}, the gate
 * of every I/O call.
 *
 * <p>Invariant: nothing here is static and mutable except the baton of each thread, and nothing is
 * touched without the baton. Uses: common.
 */
@NullMarked
package org.loam.common.sim;

import org.jspecify.annotations.NullMarked;
