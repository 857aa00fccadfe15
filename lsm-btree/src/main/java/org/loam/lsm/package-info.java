/**
 * The LSM tree: its versions, its manifest, and the operations on one tree.
 *
 * <p>Readers take an immutable version; writers change the active memory component only. Invariant:
 * for any key a newer component never holds an older entry than an older component. Uses: the
 * packages below it, cache, scheduler, common.
 *
 * <p>{@link org.loam.lsm.TreeState} is what a tree is at the moment. {@link org.loam.lsm.LsmTree}
 * and {@link org.loam.lsm.ComponentChanges} stand on it and do not know each other: one is for
 * writers and readers, and has the {@link org.loam.lsm.Freezes}; the other flushes, merges and
 * loads.
 */
@NullMarked
package org.loam.lsm;

import org.jspecify.annotations.NullMarked;
