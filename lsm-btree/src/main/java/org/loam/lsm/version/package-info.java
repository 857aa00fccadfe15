/**
 * Versions of a tree's disk part: which SSTables it consists of at one moment.
 *
 * <p>A {@link org.loam.lsm.version.DiskVersion} is immutable. A flush or merge makes a new one;
 * readers inside the file epoch go on with the one they took. A table that was merged away is
 * closed and deleted when no reader can be inside any more.
 *
 * <p>Invariant: runs are ordered newest first; for any key a newer run never holds an older
 * version; the tables of a run are disjoint and in key order.
 *
 * <p>Read {@link org.loam.lsm.version.SortedRun} first, then {@link
 * org.loam.lsm.version.DiskVersion}. Uses: disk, common, the shapes of merge policies.
 */
@NullMarked
package org.loam.lsm.version;

import org.jspecify.annotations.NullMarked;
