/**
 * Databases whose files are damaged behind the engine's back: it must notice, or answer right.
 *
 * <p>Read {@link org.loam.it.corrupt.EveryByteFlippedTest} first, then {@link
 * org.loam.it.corrupt.Probe}, which judges. Uses: model, engine, simulation.
 */
@NullMarked
package org.loam.it.corrupt;

import org.jspecify.annotations.NullMarked;
