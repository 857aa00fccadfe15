package org.loam.engine.tree;

import org.loam.lsm.ComponentChanges;
import org.loam.lsm.LsmTree;

/**
 * A tree with both of its sides.
 *
 * @param tree the side for writers and readers
 * @param components what flushes, merges and loads it
 */
public record OpenTree(LsmTree tree, ComponentChanges components) {}
