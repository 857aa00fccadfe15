/**
 * {@code loam asterixdb}: AsterixDB on this machine, on Loam or on its stock storage.
 *
 * <p>The command starts and stops a cluster, see {@link
 * org.loam.workbench.asterixdb.cluster.AsterixCluster}; the others do something with one. Nothing
 * here links against AsterixDB. Uses: cluster, crash, differential, feed, install, suite, console.
 */
@NullMarked
package org.loam.workbench.asterixdb;

import org.jspecify.annotations.NullMarked;
