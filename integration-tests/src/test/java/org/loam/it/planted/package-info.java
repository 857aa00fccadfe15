/**
 * How sensitive the tests are: bugs planted into the engine, and the suites that must catch them.
 *
 * <p>A bug is a change of source text, compiled in memory and loaded by a class loader of its own.
 * Read {@link org.loam.it.planted.PlantedBugs} first, then {@link org.loam.it.planted.BuggyLoam}.
 */
@NullMarked
package org.loam.it.planted;

import org.jspecify.annotations.NullMarked;
