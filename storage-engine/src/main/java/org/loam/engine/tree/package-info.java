/**
 * The trees of an engine: which there are, how they behave, and how changes of them get into the
 * manifest.
 *
 * <p>{@link org.loam.engine.tree.TreeCatalog} has the open trees; {@link
 * org.loam.engine.tree.Schema} creates and drops them; {@link org.loam.engine.tree.Installer} makes
 * results of flushes, merges and loads durable; {@link org.loam.engine.tree.LiveSettings} is the
 * configuration of the moment. Read them in this order.
 *
 * <p>Invariants: the manifest is changed by {@link org.loam.engine.tree.ManifestEdits} only, while
 * the directory is this engine's; which trees there are changes under {@link
 * org.loam.engine.tree.TreeCatalog#changes}. Uses: operation, scheme, commit, lsm, log, scheduler,
 * common.
 */
@NullMarked
package org.loam.engine.tree;

import org.jspecify.annotations.NullMarked;
