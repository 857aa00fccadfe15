package org.loam.common.config;

/**
 * Background input and output.
 *
 * @param pageCache what goes through the page cache of the operating system
 * @param forceBytes how much is written to a file before it is forced
 * @param limitBytesPerSecond what flushes, merges and copies of checkpoints may read and write; 0
 *     for no limit
 */
public record IoConfig(PageCacheUse pageCache, long forceBytes, long limitBytesPerSecond) {}
