/**
 * Where the statistics of a dashboard come from: an engine of this program, the engine that has a
 * directory open in another one, or a node of AsterixDB.
 *
 * <p>Read {@link org.loam.dashboard.source.Source} first. Uses: engine, tuner, common.
 */
@NullMarked
package org.loam.dashboard.source;

import org.jspecify.annotations.NullMarked;
