/**
 * Keys and entries: the order-preserving key encoding and its comparison.
 *
 * <p>Every encoded key compares as unsigned bytes, so nothing below this package knows types. Read
 * {@link KeyBuilder} first, then {@link KeyReader}; {@link KeyLayout} has the bytes. Invariant: a
 * part of a key ends itself, so any bytes may follow. Uses: {@code common.error}.
 */
@NullMarked
package org.loam.common.key;

import org.jspecify.annotations.NullMarked;
