/**
 * A cluster of AsterixDB on this machine: one cluster controller and two node controllers, each a
 * process of its own that outlives the command that started it.
 *
 * <p>Read {@link org.loam.workbench.asterixdb.cluster.AsterixCluster} first: all that can be done
 * with a cluster. What it keeps is in one directory, named by {@link
 * org.loam.workbench.asterixdb.cluster.ClusterFiles}; AsterixDB's jars come from Maven, through
 * {@link org.loam.workbench.asterixdb.cluster.Artifacts}. Uses: console, database for texts.
 */
@NullMarked
package org.loam.workbench.asterixdb.cluster;

import org.jspecify.annotations.NullMarked;
