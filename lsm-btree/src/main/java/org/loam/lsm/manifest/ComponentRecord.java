package org.loam.lsm.manifest;

import org.loam.lsm.disk.SSTableMeta;

/**
 * An SSTable and its place in the tree.
 *
 * @param level 0 for flushed tables, 1 and up for partitioned levels
 * @param group at level 0, the group; a larger number is newer; 0 elsewhere
 */
public record ComponentRecord(int level, long group, SSTableMeta meta) {}
