/**
 * Crashes of a cluster under writers, again and again, and what must be there after each.
 *
 * <p>Read {@link org.loam.workbench.asterixdb.crash.CrashCycles} first. The cluster is behind
 * {@link org.loam.workbench.asterixdb.crash.CrashTarget}, so that tests have one that lies. Uses:
 * cluster, console.
 */
@NullMarked
package org.loam.workbench.asterixdb.crash;

import org.jspecify.annotations.NullMarked;
