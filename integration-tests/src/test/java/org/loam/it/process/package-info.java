/**
 * Loam on the real operating system, from the outside: processes that are killed, power that is
 * lost, disks that fill up, threads that race, and what a user may do wrong.
 *
 * <p>Read {@link org.loam.it.process.KillTest} first. Where the operating system must help (mounts,
 * shutting a file system down), a test says why it was skipped. Uses: engine, workbench's child
 * processes.
 */
@NullMarked
package org.loam.it.process;

import org.jspecify.annotations.NullMarked;
