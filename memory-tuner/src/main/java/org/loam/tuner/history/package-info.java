/**
 * The decisions of a tuner as lines of JSON, in a bounded file that another process can read.
 *
 * <p>{@link org.loam.tuner.history.HistoryWriter} appends, {@link
 * org.loam.tuner.history.HistoryReader} reads while it does. Nothing is forced: the history
 * explains what was, and no decision depends on it. Uses: policy, cost, common.
 */
@NullMarked
package org.loam.tuner.history;

import org.jspecify.annotations.NullMarked;
