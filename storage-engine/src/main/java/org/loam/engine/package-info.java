/**
 * The engine: configuration, opening, datasets, batches, statistics and closing.
 *
 * <p>The facade that an embedding program sees, and the only place that wires the other modules
 * together. {@link org.loam.engine.Engine} is where to begin; {@link
 * org.loam.engine.Engine#configure} changes what may change while it runs, {@link
 * org.loam.engine.EventListener} is told what it does. Uses: lsm, cache, log, scheduler, tuner,
 * common.
 */
@NullMarked
package org.loam.engine;

import org.jspecify.annotations.NullMarked;
