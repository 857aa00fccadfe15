/**
 * A B+-tree in memory with its records inside the pages, as the memory components of AsterixDB are:
 * what figure 8 of MemoryWalls compares with. It has no log and no disk.
 *
 * <p>{@link org.loam.workbench.peer.inline.InlineTree} is the tree, {@link
 * org.loam.workbench.peer.inline.InlinePage} one page of it. Uses: peer.
 */
@NullMarked
package org.loam.workbench.peer.inline;

import org.jspecify.annotations.NullMarked;
