/**
 * The engine: configuration, opening, datasets, batches, statistics, checkpoint and closing.
 *
 * <p>The facade that an embedding program sees, and the only place that wires the other modules
 * together. Uses: lsm, cache, log, scheduler, tuner, common.
 */
@NullMarked
package org.loam.engine;

import org.jspecify.annotations.NullMarked;
