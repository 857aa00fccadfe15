/**
 * The ghost cache: identifiers of recently evicted pages, without their bytes.
 *
 * <p>A miss found here would have been a hit in a larger cache; the memory tuner reads that count.
 * Uses: common.
 */
@NullMarked
package org.loam.cache.ghost;

import org.jspecify.annotations.NullMarked;
