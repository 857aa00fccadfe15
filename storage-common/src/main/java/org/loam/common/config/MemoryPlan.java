package org.loam.common.config;

import java.util.ArrayList;
import java.util.List;

/**
 * How {@code memory.total} is divided: fixed parts, allocated when the engine opens, and pool
 * pages, of which write memory and cache have quotas. The one place that computes these sizes.
 * Immutable.
 *
 * <p>total ≥ fixed + (writePages + cachePages) · pageBytes; the rest is less than a page. Every
 * fixed part scales down with the total, and together they are refused above a quarter of it.
 *
 * @param fixed the fixed parts
 * @param pageBytes size of a pool page
 * @param writePages the write memory's first quota
 * @param cachePages the cache's first quota
 */
public record MemoryPlan(Fixed fixed, int pageBytes, int writePages, int cachePages) {
  private static final long KIB = 1L << 10;
  private static final long MIB = 1L << 20;

  /** Fixed parts may take this part of the total. */
  private static final int FIXED_SHARE = 4;

  /** Below this a cache cannot hold the index path of a few readers. */
  private static final int MIN_CACHE_PAGES = 64;

  /** The average entry that a filter under construction is sized for. */
  private static final int FILTER_ENTRY_BYTES = 32;

  /** A page table slot, and the state of a frame. */
  private static final int SLOT_BYTES = 16;

  private static final int FRAME_BYTES = 16;

  /** What the ghost cache remembers: pages of 128 MiB (MemoryWalls §5.3), two slots each. */
  private static final long GHOST_BYTES = 128 * MIB;

  /**
   * The fixed parts, in bytes.
   *
   * @param logRingBytes log ring: a power of two, total / 64 up to 16 MiB, at most a segment
   * @param chunkBytes unit of background reads and writes: a power of two, total / 1024 within 64
   *     KiB and 1 MiB
   * @param mergeBytes per merge thread a chunk for each input, which are L0 up to its stop and one
   *     level, and two for the output
   * @param flushBytes per flush thread two chunks for the output
   * @param filterBytes per flush and merge thread the filter of one SSTable with entries of 32
   *     bytes, at most total / 128
   * @param cacheTableBytes page table at half load, frame states and ghost cache, for a cache as
   *     large as the total
   */
  public record Fixed(
      long logRingBytes,
      int chunkBytes,
      long mergeBytes,
      long flushBytes,
      long filterBytes,
      long cacheTableBytes) {
    /** All of them together. */
    public long totalBytes() {
      return logRingBytes + mergeBytes + flushBytes + filterBytes + cacheTableBytes;
    }

    @Override
    public String toString() {
      return "log ring "
          + Units.formatBytes(logRingBytes)
          + ", merge buffers "
          + Units.formatBytes(mergeBytes)
          + ", flush buffers "
          + Units.formatBytes(flushBytes)
          + ", filters "
          + Units.formatBytes(filterBytes)
          + ", cache tables "
          + Units.formatBytes(cacheTableBytes);
    }
  }

  static MemoryPlan of(EngineConfig config) {
    Fixed fixed = fixed(config);
    int pageBytes = config.memory().pageBytes();
    int poolPages = (int) ((config.memory().totalBytes() - fixed.totalBytes()) / pageBytes);
    int writePages = (int) (config.write().initialBytes() / pageBytes);
    return new MemoryPlan(fixed, pageBytes, writePages, poolPages - writePages);
  }

  /** The pages of the pool. */
  public int poolPages() {
    return writePages + cachePages;
  }

  /** Why the memory cannot be divided so; the single values are known to be in range. */
  static List<String> problems(EngineConfig config) {
    List<String> problems = new ArrayList<>();
    long total = config.memory().totalBytes();
    Fixed fixed = fixed(config);
    if (fixed.totalBytes() > total / FIXED_SHARE) {
      problems.add(
          "memory.total: "
              + Units.formatBytes(total)
              + ", must be at least 4 times the fixed parts ("
              + fixed
              + "): raise it or lower threads.merge, threads.flush, l0.stop");
      return problems;
    }
    int pageBytes = config.memory().pageBytes();
    long mostWriteBytes = total - fixed.totalBytes() - (long) MIN_CACHE_PAGES * pageBytes;
    if (config.write().initialBytes() > mostWriteBytes) {
      problems.add(
          "write.initialBytes: "
              + Units.formatBytes(config.write().initialBytes())
              + ", must leave fixed parts and cache their place in memory.total: at most "
              + Units.formatBytes(mostWriteBytes / MIB * MIB));
    }
    return problems;
  }

  private static Fixed fixed(EngineConfig config) {
    long total = config.memory().totalBytes();
    long ring =
        Math.min(
            16 * MIB,
            Math.min(
                Long.highestOneBit(total / 64), Long.highestOneBit(config.log().segmentBytes())));
    long chunk = Math.max(64 * KIB, Math.min(MIB, Long.highestOneBit(total / 1024)));
    int mergeThreads = config.threads().merge();
    int flushThreads = config.threads().flush();
    DiskConfig disk = config.disk();
    long inputs = disk.l0Stop() + 1L;
    long filter =
        Math.min(
            total / 128, disk.sstableBytes() / FILTER_ENTRY_BYTES * disk.bloomBitsPerKey() / 8);
    long pages = total / config.memory().pageBytes();
    long slots = Long.highestOneBit(2 * pages - 1) << 1;
    long ghostPages = Math.min(GHOST_BYTES, total / 8) / config.memory().pageBytes();
    return new Fixed(
        ring,
        (int) chunk,
        mergeThreads * (inputs + 2) * chunk,
        flushThreads * 2L * chunk,
        (mergeThreads + (long) flushThreads) * filter,
        slots * SLOT_BYTES + pages * FRAME_BYTES + ghostPages * 2L * SLOT_BYTES);
  }
}
