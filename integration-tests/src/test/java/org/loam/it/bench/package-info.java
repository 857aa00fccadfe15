/**
 * Microbenchmarks of hot paths. CONTRIBUTING.md gives the command that runs them.
 *
 * <p>Read {@link org.loam.it.bench.HotPath} first: it fixes how all of them are measured. The
 * figure to compare is {@code cpu}, the processor time of the measuring threads; the time per
 * operation beside it also holds waiting, for background work and for whatever else the machine
 * does. What an operation returns is checked where that costs next to nothing. Uses: engine, lsm,
 * cache, log, common, and keys and values of the workbench.
 */
@NullMarked
package org.loam.it.bench;

import org.jspecify.annotations.NullMarked;
