/**
 * An index of AsterixDB whose data is a tree of Loam.
 *
 * <p>To AsterixDB it is an LSM index with memory components and no disk components: the components
 * count writers, say when a flush may begin, and hold nothing. All data is in one tree, whatever
 * component it was written through, and AsterixDB's flush of a component makes durable what the
 * tree had when the flush was scheduled. See docs/adr/0021.
 *
 * <p>Read {@link LoamIndex} first, then {@link LoamCursor}. Uses: engine, common, asterix.key,
 * asterix.node.
 */
@NullMarked
package org.loam.asterix.index;

import org.jspecify.annotations.NullMarked;
