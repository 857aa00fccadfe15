/**
 * The way of a read: single keys, many keys by several threads, ranges, and moments that stay.
 *
 * <p>{@link org.loam.engine.read.ReadPath} is the door. Keys and bounds have been checked by the
 * public handles.
 *
 * <p>Invariant: a read LSN is registered as long as a cursor or a moment shows it. Uses: operation,
 * host, lsm, common.
 */
@NullMarked
package org.loam.engine.read;

import org.jspecify.annotations.NullMarked;
