/**
 * The buffer cache: pins pages of disk components, reading and verifying them on a miss.
 *
 * <p>Disk pages are immutable, so there are no dirty pages and no write-back. Queries read through
 * the cache; flush verification and merges read past it. Both verify every page that comes from
 * disk, and count in the same counters.
 *
 * <p>Read {@link BufferCache} and {@link ReadIntent} first, then {@link PageHeader} and {@link
 * ChunkReader}.
 *
 * <p>Invariants: a pinned page is neither evicted nor moved; bytes that fail their checksum are
 * never shown. Uses: common.
 */
@NullMarked
package org.loam.cache;

import org.jspecify.annotations.NullMarked;
