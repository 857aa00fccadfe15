/**
 * Datasets: what a secondary index is, which entries a record has in it, and the locks on keys
 * under which records and indexes change together. The operations themselves are in the engine.
 *
 * <p>Read {@link org.loam.lsm.dataset.IndexDefinition} first, then {@link
 * org.loam.lsm.dataset.IndexEntries}. Uses: common.
 */
@NullMarked
package org.loam.lsm.dataset;

import org.jspecify.annotations.NullMarked;
