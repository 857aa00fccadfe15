/**
 * The transaction log: append, group commit and truncation.
 *
 * <p>An LSN is a byte position in the log. One frame holds one batch over all its trees and is
 * applied whole or not at all.
 *
 * <p>Read {@link TransactionLog} first, then {@code LogWriter} (append), {@code GroupCommit}
 * (force) and {@code LogStart} (from a replayed log to a running one). {@code SegmentPreparer}
 * prepares segments ahead of the appends, which take them from {@code SegmentSlots}; {@code
 * LiveSegments} knows which ones hold the log. Three threads take part: the one that appends, under
 * the engine's commit latch; one that forces; one that prepares segments and is allowed to be slow.
 *
 * <p>Invariants: a segment's header is durable before it holds a frame; a frame is acknowledged
 * only after a force that began after it was written; a force that failed is never repeated; no LSN
 * is used twice; every segment that counts is named by the one before it. Uses: common, log.format,
 * log.recover.
 */
@NullMarked
package org.loam.log;

import org.jspecify.annotations.NullMarked;
