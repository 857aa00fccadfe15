/**
 * The background threads of an engine, and what is asked of them.
 *
 * <p>{@link org.loam.engine.background.Background} says what is to be done and what becomes of
 * faults; lsm-scheduler decides when and how fast. {@link org.loam.engine.background.Maintenance}
 * is what others ask for: flushes and compactions; {@code WorkWaits} has the threads that wait for
 * them. {@link org.loam.engine.background.MemoryMoves} moves memory to a target.
 *
 * <p>Invariants: after a fence no flush and no merge begins; no thread ends unnoticed (ADR 34).
 * Uses: operation, memory, notify, commit, tree, lsm, log, scheduler, common.
 */
@NullMarked
package org.loam.engine.background;

import org.jspecify.annotations.NullMarked;
