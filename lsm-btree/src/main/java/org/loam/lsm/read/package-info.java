/**
 * What components are read with: an entry, cursors that move both ways, walks that only go on, and
 * the one merge of several walks.
 *
 * <p>Read {@link org.loam.lsm.read.EntryWalk} and {@link org.loam.lsm.read.MergingCursor} first.
 *
 * <p>Invariant: no type has a move that it cannot make.
 *
 * <p>Uses: common.
 */
@NullMarked
package org.loam.lsm.read;

import org.jspecify.annotations.NullMarked;
