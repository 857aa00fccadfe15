/**
 * For hosts: programs with transactions and a log of their own that keep their data in an engine.
 *
 * <p>{@link org.loam.engine.host.HostLog} is what a host implements and says how the two work
 * together; read it first. {@link org.loam.engine.host.HostEngine} and {@link
 * org.loam.engine.host.HostTree} are what an engine and a tree do for it beside what they do for
 * all: undo, stalls that it causes, loads where they are possible, deletes in scans, relief of
 * write memory.
 *
 * <p>Invariant: a program without transactions needs nothing of this. Uses: nothing.
 */
@NullMarked
package org.loam.engine.host;

import org.jspecify.annotations.NullMarked;
