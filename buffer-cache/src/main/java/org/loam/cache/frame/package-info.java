/**
 * The buffer cache over frames: pages of a pool that write memory shares, two words for each, and a
 * table that finds the frame of a page.
 *
 * <p>Read {@link FrameCache} first, then {@link FrameWords}, which holds all that threads must
 * agree on; {@link PageTable} only hints. A missed page is announced in {@link PendingReads}, which
 * lets a page missed by many be read once, and {@link PageReader} brings it, or {@link
 * StretchReader} with its neighbours. {@link FrameSupply} finds frames for missed pages and has the
 * replacement policy: all pages that give way leave there.
 *
 * <p>Invariants: at most one listed frame holds a page; a frame that is listed has a slot in the
 * table before its first pin ends; frames in use never exceed the pool. Uses: cache, common.
 */
@NullMarked
package org.loam.cache.frame;

import org.jspecify.annotations.NullMarked;
