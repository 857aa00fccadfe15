/**
 * Bulk loads: sorted entries that become the content of an empty tree (ADR 19).
 *
 * <p>{@link org.loam.engine.load.Loads} begins them and ends at the close what is left; {@link
 * org.loam.engine.load.Load} is one of them.
 *
 * <p>Invariant: a tree that is being loaded takes no writes. Uses: operation, notify, commit, tree,
 * lsm, scheduler, common.
 */
@NullMarked
package org.loam.engine.load;

import org.jspecify.annotations.NullMarked;
