/**
 * Datasets: records with secondary indexes that are always right.
 *
 * <p>{@link org.loam.engine.dataset.DatasetState} is an open dataset; {@link
 * org.loam.engine.dataset.DatasetWriter} keeps records and indexes together; {@link
 * org.loam.engine.dataset.DatasetIndexes} makes an index of records that are there; {@link
 * org.loam.engine.dataset.DatasetCatalog} has all. Read them in this order; {@code lsm.dataset} has
 * what an index entry is.
 *
 * <p>Invariants: a record and its entries are written in one batch, under the lock of the record's
 * key; the indexes change only while writers wait at the gate and none holds a key lock. Uses:
 * operation, commit, read, tree, background, lsm, scheduler, common.
 */
@NullMarked
package org.loam.engine.dataset;

import org.jspecify.annotations.NullMarked;
