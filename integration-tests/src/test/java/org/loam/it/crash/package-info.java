/**
 * Crash simulation: seeded lives of an engine that end in a crash, at any I/O or switching point
 * and during recovery too, and what must be there afterwards.
 *
 * <p>Read {@link org.loam.it.crash.CrashClient} first, which knows what it wrote, then {@link
 * org.loam.it.crash.CrashRun}.
 */
@NullMarked
package org.loam.it.crash;

import org.jspecify.annotations.NullMarked;
