package org.loam.cache;

import java.util.EnumMap;
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
    long checksumFailures) {
  /** All counters now, beside the given numbers of frames. */
  public static CacheStatistics of(CacheCounters counters, int frames, int pinnedFrames) {
    Map<AccessClass, Long> hits = new EnumMap<>(AccessClass.class);
    Map<AccessClass, Long> misses = new EnumMap<>(AccessClass.class);
    for (AccessClass access : AccessClass.values()) {
      hits.put(access, counters.hits(access));
      misses.put(access, counters.misses(access));
    }
    return new CacheStatistics(
        hits, misses, counters.evictions(), frames, pinnedFrames, counters.checksumFailures());
  }
}
