/**
 * Loam in AsterixDB's released distribution, as operators unpack it: a jar and two scripts beside
 * AsterixDB's own, and what the configuration must say for them to be used.
 *
 * <p>Read {@link org.loam.workbench.asterixdb.install.Distribution} first. Uses: cluster for Loam's
 * jar, console.
 */
@NullMarked
package org.loam.workbench.asterixdb.install;

import org.jspecify.annotations.NullMarked;
