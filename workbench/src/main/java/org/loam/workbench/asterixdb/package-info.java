/**
 * A cluster of AsterixDB on this machine: one cluster controller and two node controllers, each a
 * process of its own that outlives the command that started it.
 *
 * <p>Read {@link org.loam.workbench.asterixdb.AsterixCluster} first: all that can be done with a
 * cluster. What it keeps is in one directory, named by {@link
 * org.loam.workbench.asterixdb.ClusterFiles}; AsterixDB's jars come from Maven, through {@link
 * org.loam.workbench.asterixdb.Artifacts}. Nothing here links against AsterixDB. Uses: console,
 * database.
 */
@NullMarked
package org.loam.workbench.asterixdb;

import org.jspecify.annotations.NullMarked;
