/**
 * {@code loam bench asterixdb}: AsterixDB on Loam beside AsterixDB on its stock storage.
 *
 * <p>Read {@link org.loam.workbench.bench.asterixdb.VersusCommand} for what can be asked, {@link
 * org.loam.workbench.bench.asterixdb.VersusRound} for the order of things in one cluster, and
 * {@link org.loam.workbench.bench.asterixdb.BenchRecords} for what the data is. A workload that
 * writes is charged for processor time and bytes until its node controllers have come to rest.
 *
 * <p>Invariant: every answer is checked; the first wrong one ends the benchmark. Uses: asterixdb,
 * bench, console, workload.
 */
@NullMarked
package org.loam.workbench.bench.asterixdb;

import org.jspecify.annotations.NullMarked;
