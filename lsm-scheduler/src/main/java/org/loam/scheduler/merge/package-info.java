/**
 * Merge policies: which disk components should become one, and where the result belongs.
 *
 * <p>A policy is a pure function of a tree's shape: it starts nothing, locks nothing, reads no
 * clock. It decides <em>what</em>; {@code org.loam.scheduler.work} decides <em>when</em>; the tree
 * carries it out.
 *
 * <p>Read {@link org.loam.scheduler.merge.TreeShape} first, then {@link
 * org.loam.scheduler.merge.MergePlan}, then {@link org.loam.scheduler.merge.PartitionedLeveling}.
 *
 * <p>Invariants, for every plan that {@link org.loam.scheduler.merge.PlanCheck#objection} lets
 * pass: it names only components of the shape; carrying it out never puts an older version of a key
 * above a newer one; levels stay disjoint. Uses: common.
 */
@NullMarked
package org.loam.scheduler.merge;

import org.jspecify.annotations.NullMarked;
