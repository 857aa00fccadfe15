/**
 * {@code loam bench tpcc}: a workload derived from TPC-C, on Loam's datasets and on RocksDB.
 *
 * <p>Read {@link TpccCommand} for what can be asked, {@link Terminal} for how transactions are
 * chosen and run, {@link Transactions} for what each does, and {@link Conditions} for what must
 * hold afterwards.
 *
 * <p>A transaction reads, and writes one batch at its end, which is all or nothing. Engines offer
 * no more, so {@link RecordLocks}, which all terminals share, keep the others away from what a
 * transaction reads in order to write it. With them new orders, payments, order statuses and each
 * district of a delivery are serializable among the terminals of one process; a stock level reads
 * what has been written (3.4.1 asks for no more). The locks are the clients', not the engine's.
 *
 * <p>Invariant: all engines run the same code of transactions on {@link
 * org.loam.workbench.peer.TableStore}.
 */
@NullMarked
package org.loam.workbench.bench.tpcc;

import org.jspecify.annotations.NullMarked;
