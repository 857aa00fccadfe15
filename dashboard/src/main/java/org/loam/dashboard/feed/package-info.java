/**
 * What a dashboard tells its browsers: the state of the source, a point of all series for each
 * second, and each decision of the memory tuner.
 *
 * <p>{@link org.loam.dashboard.feed.Feed} looks at the source and makes events of what it sees;
 * {@link org.loam.dashboard.feed.Sampler} has it look once a second. Read {@link
 * org.loam.dashboard.feed.Points} for the names of the series.
 *
 * <p>Invariant: one thread looks. Uses: source, tuner.
 */
@NullMarked
package org.loam.dashboard.feed;

import org.jspecify.annotations.NullMarked;
