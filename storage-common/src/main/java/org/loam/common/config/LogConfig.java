package org.loam.common.config;

import org.jspecify.annotations.Nullable;

/**
 * The transaction log.
 *
 * @param durability when a write is acknowledged
 * @param maxBytes length beyond which components are flushed to shorten it
 * @param segmentBytes size of one file of it
 * @param directory where it lives; null for the data directory
 */
public record LogConfig(
    Durability durability, long maxBytes, long segmentBytes, @Nullable String directory) {
  /** The default length, as a multiple of all memory: write memory shall say when it is flushed. */
  private static final int MEMORIES = 2;

  /** The bounds of that. A recovery reads 1 GiB of log in some 7 s. */
  private static final long LEAST_BYTES = 1L << 30;

  private static final long MOST_BYTES = 10L << 30;

  /** What {@code log.maxBytes} is if it is not stated. */
  static long defaultMaxBytes(long memoryTotalBytes) {
    long memories = Math.min(memoryTotalBytes, MOST_BYTES) * MEMORIES;
    return Math.max(LEAST_BYTES, Math.min(memories, MOST_BYTES));
  }
}
