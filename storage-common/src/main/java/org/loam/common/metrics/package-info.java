/**
 * Counters, gauges and latency histograms, by name.
 *
 * <p>Nothing here reads a clock: callers measure and pass nanoseconds. Read {@link Metrics} first.
 * Invariant: recording takes no lock and makes no garbage. Uses: nothing of Loam.
 */
@NullMarked
package org.loam.common.metrics;

import org.jspecify.annotations.NullMarked;
