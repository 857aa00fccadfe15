/**
 * A workload derived from TPC-C: its tables, their first records, and what its transactions are
 * asked. It is no TPC-C: terminals do not wait, and its figures must not be compared with published
 * ones.
 *
 * <p>Read {@link Table} and {@link Columns} first, then {@link InitialRows} for the load and {@link
 * Inputs} for the run. Numbers in parentheses such as "4.3.3" are clauses of the TPC-C standard,
 * revision 5.11.
 *
 * <p>Invariant: everything follows from a seed and a {@link Scale}; it knows no store, no clock and
 * no thread.
 */
@NullMarked
package org.loam.workbench.workload.tpcc;

import org.jspecify.annotations.NullMarked;
