/**
 * A page that shows what an engine does now: how its memory is divided and why, hits, flushes,
 * merges, stalls and latencies.
 *
 * <p>{@link org.loam.dashboard.Dashboard} serves it; read it first. {@code source} says where
 * statistics come from, {@code feed} makes of them what the page is told, {@code http} serves, and
 * {@code page} has what the browser gets.
 *
 * <p>Invariant: while no browser looks, the engine is asked for nothing. Uses: engine, tuner,
 * common, Netty, Jackson.
 */
@NullMarked
package org.loam.dashboard;

import org.jspecify.annotations.NullMarked;
