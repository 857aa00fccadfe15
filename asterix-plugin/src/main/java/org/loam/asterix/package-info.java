/**
 * Loam below AsterixDB: the applications that its cluster controller and node controllers run.
 *
 * <p>A node is told by {@code app.class}, one jar on its class path, and nothing of it is patched.
 * Read {@link LoamNCApplication} first, then {@link org.loam.asterix.runtime} for what it starts,
 * {@link org.loam.asterix.index} for what an index is, and {@link org.loam.asterix.node} for the
 * engine; {@link org.loam.asterix.key} makes keys of AsterixDB's tuples, {@link
 * org.loam.asterix.merge} has the merge policies that datasets may name.
 *
 * <p>With those below it the only package that may see AsterixDB's and Hyracks' classes. Uses:
 * engine.
 */
@NullMarked
package org.loam.asterix;

import org.jspecify.annotations.NullMarked;
