/**
 * What an engine reports to the program that embeds it: events as they happen, what opening found,
 * what a check found. Values, and interfaces that the program implements.
 *
 * <p>They are below the rooms that make them and above nothing of the engine, so that a room makes
 * the very value that the program sees. Read {@link org.loam.engine.report.EventListener} first.
 *
 * <p>Invariant: nothing here knows {@code org.loam.engine} or one of its rooms. Uses: lsm (causes
 * of flushes), scheduler (causes of stalls), common.
 */
@NullMarked
package org.loam.engine.report;

import org.jspecify.annotations.NullMarked;
