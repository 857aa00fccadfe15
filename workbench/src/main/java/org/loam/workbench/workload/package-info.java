/**
 * What a benchmark asks of a store: keys, values that prove themselves, distributions, and the
 * mixes of the Yahoo! Cloud Serving Benchmark.
 *
 * <p>Read {@link Workload} first, then {@link Keys} and {@link Values}. Everything here is
 * arithmetic on a seed: it knows no store, no clock and no thread.
 *
 * <p>Invariant: a record is known by its index, 0-based; the index alone gives its key, and the key
 * with a version gives its value. So any answer of a store can be checked without remembering what
 * was written.
 */
@NullMarked
package org.loam.workbench.workload;

import org.jspecify.annotations.NullMarked;
