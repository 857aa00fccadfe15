/**
 * The buffer cache over frames: pages of a pool that write memory shares, two words for each, and a
 * table that finds the frame of a page.
 *
 * <p>Read {@link FrameCache} first, then {@link FrameWords}, which holds all that threads must
 * agree on; {@link PageTable} only hints. {@link FrameSupply} finds frames for missed pages and has
 * the replacement policy; {@link PendingReads} lets a page missed by many be read once.
 *
 * <p>Invariants: at most one listed frame holds a page; a frame that is listed has a slot in the
 * table before its first pin ends; frames in use never exceed the pool. Uses: cache, common.
 */
@NullMarked
package org.loam.cache.frame;

import org.jspecify.annotations.NullMarked;
