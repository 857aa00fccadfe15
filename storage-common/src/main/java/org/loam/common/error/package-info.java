/**
 * The faults a caller can meet, as one sealed family of exceptions.
 *
 * <p>A fault names its kind, so that a caller can decide between retry, repair and giving up.
 * Expected outcomes are values, never exceptions; a caller's mistake is an {@code
 * IllegalArgumentException}; a broken invariant is an {@code AssertionError}. Uses: common.
 */
@NullMarked
package org.loam.common.error;

import org.jspecify.annotations.NullMarked;
