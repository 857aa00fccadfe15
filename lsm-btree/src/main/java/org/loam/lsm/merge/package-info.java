/**
 * Executing flushes and merges as machines that advance by quanta and never sleep.
 *
 * <p>What to merge, and when, is decided in {@code org.loam.scheduler}. Uses: all packages beside
 * it, scheduler, cache, common.
 */
@NullMarked
package org.loam.lsm.merge;

import org.jspecify.annotations.NullMarked;
