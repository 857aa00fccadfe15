/**
 * {@code loam bench kv}: the same clients, the same records and the same memory for every engine.
 *
 * <p>Read {@link KvCommand} for what can be asked, {@link Campaign} for the order of things (one
 * child process per engine and round, engines in turn), {@link Round} for what a child does, and
 * {@link Phase} and {@link Client} for how one workload is measured.
 *
 * <p>What is charged to a phase that writes: processor time and bytes from its first operation
 * until the engine has come to rest, divided by all its operations, so that work put off is paid
 * for. A phase that only reads is charged for its measured window alone.
 *
 * <p>Invariant: every answer is checked; the first wrong one ends the benchmark.
 */
@NullMarked
package org.loam.workbench.bench;

import org.jspecify.annotations.NullMarked;
