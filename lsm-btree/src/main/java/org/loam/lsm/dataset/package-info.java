/**
 * Datasets: a primary index and its secondary indexes under one set of operations.
 *
 * <p>Uses: lsm, log, common.
 */
@NullMarked
package org.loam.lsm.dataset;

import org.jspecify.annotations.NullMarked;
