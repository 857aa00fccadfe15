package org.loam.cache;

import java.util.Map;

/**
 * What the cache did since the start.
 *
 * @param hits pins answered from memory, by access class
 * @param misses pages read from disk, by the cache or past it, by access class
 * @param evictions pages dropped for others
 * @param frames frames the cache owns
 * @param pinnedFrames frames pinned now
 * @param checksumFailures pages that were not what was written
 */
public record CacheStatistics(
    Map<AccessClass, Long> hits,
    Map<AccessClass, Long> misses,
    long evictions,
    int frames,
    int pinnedFrames,
    long checksumFailures) {}
