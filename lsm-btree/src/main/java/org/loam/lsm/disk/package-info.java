/**
 * Disk components: SSTables, their page layouts, readers and writers.
 *
 * <p>An SSTable never changes once the manifest names it. Uses: read, cache, common, the key ranges
 * of merge policies.
 */
@NullMarked
package org.loam.lsm.disk;

import org.jspecify.annotations.NullMarked;
