/**
 * Replacement policies: which frame gives way to the next page.
 *
 * <p>A hit writes at most one usage bit. Uses: common.
 */
@NullMarked
package org.loam.cache.evict;

import org.jspecify.annotations.NullMarked;
