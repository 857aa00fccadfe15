/**
 * {@code loam demo}: real records go through log, write memory, flushes, merges, cache, reads, a
 * kill and a recovery, and every answer is compared with what it must be.
 *
 * <p>Read {@link DemoCommand} for the order of things, then {@link DemoDatabase} for what is
 * stored, {@link ReadCheck} and {@link IndexCheck} for the reads and {@link CrashTrial} for the
 * kill. {@link Expected} is the model that {@link Answers} are held against: key to checksum and
 * indexed values, on the heap.
 *
 * <p>Invariant: records are spooled to a file first and read from there by parent and child, so
 * that both know the same records under the same numbers.
 */
@NullMarked
package org.loam.workbench.demo;

import org.jspecify.annotations.NullMarked;
