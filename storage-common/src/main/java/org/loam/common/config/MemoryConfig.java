package org.loam.common.config;

/**
 * What is divided among write memory, buffer cache and fixed parts.
 *
 * @param totalBytes everything off-heap
 * @param pageBytes page size, fixed when a database is created
 * @param cachePolicy which page the cache replaces
 * @param writeTargetBytes size that write memory moves to; 0 if it does not move
 */
public record MemoryConfig(
    long totalBytes, int pageBytes, CachePolicy cachePolicy, long writeTargetBytes) {}
