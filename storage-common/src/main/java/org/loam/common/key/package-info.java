/**
 * Keys and entries: the order-preserving key encoding and its comparison.
 *
 * <p>Every encoded key compares as unsigned bytes, so nothing below this package knows types. Uses:
 * common.
 */
@NullMarked
package org.loam.common.key;

import org.jspecify.annotations.NullMarked;
