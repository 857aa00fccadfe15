/**
 * Adapters between Loam and AsterixDB. They translate and hold no storage logic.
 *
 * <p>{@code org.loam.asterix.key} makes keys of Loam out of AsterixDB's tuples. What else belongs
 * here is not written yet: factories through which AsterixDB's own trees use our merge policies and
 * merge schedulers; an index adapter over Loam's tree; a feed sink that passes on our
 * back-pressure; and one engine per node, whose log and checkpoints follow the host's.
 *
 * <p>With those below it the only package that may see AsterixDB's and Hyracks' classes. Uses:
 * engine.
 */
@NullMarked
package org.loam.asterix;

import org.jspecify.annotations.NullMarked;
