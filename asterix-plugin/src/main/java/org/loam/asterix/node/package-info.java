/**
 * The one Loam engine of a node controller, and what AsterixDB tells it: its settings, the end of
 * AsterixDB's log, and which tree belongs to which index.
 *
 * <p>Read {@link LoamNode} first; the trees are those of {@link NodeTrees}. Uses: engine, common.
 */
@NullMarked
package org.loam.asterix.node;

import org.jspecify.annotations.NullMarked;
