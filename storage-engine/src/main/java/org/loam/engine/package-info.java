/**
 * What a program that embeds Loam sees: the engine, its trees and datasets, options, statistics and
 * cursors.
 *
 * <p>{@link org.loam.engine.Engine} is where to begin; {@link org.loam.engine.Engine#configure}
 * changes what may change while it runs. What an engine reports is in {@link
 * org.loam.engine.report}; what it does for a program with transactions of its own is in {@link
 * org.loam.engine.host}.
 *
 * <p>The handles check what they are given, translate it, and pass it on to the rooms below, each a
 * package that says what it is for: {@code operation}, {@code notify}, {@code memory}, {@code
 * scheme}, {@code commit}, {@code read}, {@code tree}, {@code background}, {@code load}, {@code
 * dataset}, {@code tuning}, {@code verify}, and {@code open}, which wires them. Invariant: no room
 * knows this package (ADR 36).
 *
 * <p>Its signatures show settings, exceptions and keys ({@code common.config}, {@code
 * common.error}, {@code common.key}), and of its parts only what a test of the architecture names:
 * the environment, definitions of indexes, and in statistics and events the figures and causes of
 * cache, flushes and stalls. Uses: its rooms, lsm, cache, log, scheduler, tuner, common.
 */
@NullMarked
package org.loam.engine;

import org.jspecify.annotations.NullMarked;
