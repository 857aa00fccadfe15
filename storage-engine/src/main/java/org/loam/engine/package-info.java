/**
 * The engine: configuration, opening, datasets, batches, statistics and closing.
 *
 * <p>The facade that an embedding program sees, and the only place that wires the other modules
 * together. {@link org.loam.engine.Engine} is where to begin; {@link
 * org.loam.engine.Engine#configure} changes what may change while it runs, {@link
 * org.loam.engine.EventListener} is told what it does.
 *
 * <p>Its signatures show settings, exceptions and keys ({@code common.config}, {@code
 * common.error}, {@code common.key}), and of its parts only what a test of the architecture names:
 * the environment, definitions of indexes, and in statistics and events the figures and causes of
 * cache, flushes and stalls. Uses: lsm, cache, log, scheduler, tuner, common.
 */
@NullMarked
package org.loam.engine;

import org.jspecify.annotations.NullMarked;
