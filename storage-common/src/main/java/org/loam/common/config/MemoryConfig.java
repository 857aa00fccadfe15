package org.loam.common.config;

/**
 * What is divided among write memory, buffer cache and fixed parts.
 *
 * @param totalBytes everything off-heap
 * @param pageBytes page size, fixed when a database is created
 * @param cachePolicy which page the cache replaces
 */
public record MemoryConfig(long totalBytes, int pageBytes, CachePolicy cachePolicy) {}
