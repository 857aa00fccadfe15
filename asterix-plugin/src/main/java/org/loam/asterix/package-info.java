/**
 * Adapters between Loam and AsterixDB. They translate and hold no storage logic.
 *
 * <p>What belongs here, none of it written yet: factories through which AsterixDB's own trees use
 * our merge policies and merge schedulers; an index adapter over Loam's tree; the translation
 * between AsterixDB's tuples and our encoded keys; a feed sink that passes on our back-pressure;
 * and one engine per node, whose log and checkpoints follow the host's.
 *
 * <p>The only package that may see AsterixDB's and Hyracks' classes. Uses: engine.
 */
@NullMarked
package org.loam.asterix;

import org.jspecify.annotations.NullMarked;
