/**
 * Hyracks' own tests of an ordered index, run on ours. They are JUnit 4's.
 *
 * <p>Read {@link org.loam.asterix.hyracks.IndexHarness} first, then {@link
 * org.loam.asterix.hyracks.TypedFields}.
 */
@NullMarked
package org.loam.asterix.hyracks;

import org.jspecify.annotations.NullMarked;
