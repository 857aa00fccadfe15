package org.loam.engine;

import org.loam.cache.frame.CacheMemory;
import org.loam.common.config.EngineConfig;
import org.loam.lsm.Workspace;
import org.loam.lsm.disk.WriterMemory;
import org.loam.lsm.merge.WorkMemory;

/**
 * How {@code memory.total} is divided; the one place that says so. The fixed parts, allocated at
 * open, scale with the total and are refused above a quarter of it; the rest is one pool, of which
 * write memory and buffer cache have quotas.
 *
 * @param poolPages pages of the pool
 * @param writePages quota of the write memory; the cache has the rest
 * @param fixedBytes limit of the fixed parts
 * @param flush buffers of a flush
 * @param merge buffers of a merge
 * @param openMerges merges that have buffers
 * @param scratchBytes scratch memory of an operation
 * @param batchBytes largest batch
 */
record MemoryLayout(
    int poolPages,
    int writePages,
    long fixedBytes,
    WorkMemory.Sizes flush,
    WorkMemory.Sizes merge,
    int openMerges,
    int scratchBytes,
    int batchBytes) {
  private static final int MIN_CHUNK_BYTES = 64 << 10;
  private static final int MIN_POOL_PAGES = 256;

  /** Inputs a merge can always read: L0 groups up to the stop, a few more, and two levels. */
  private static int maxInputs(EngineConfig config) {
    return config.disk().l0Stop() + 8;
  }

  static MemoryLayout of(EngineConfig config) {
    long total = config.memory().totalBytes();
    int pageBytes = config.memory().pageBytes();
    // A new file takes 128 KiB at a time at two thirds of the speed of 1 MiB.
    int chunk = (int) Math.min(1 << 20, floorPowerOfTwo(total >> 7));
    int work =
        (int)
            Math.max(
                WriterMemory.minWorkBytes(pageBytes),
                Math.min(16 << 20, floorPowerOfTwo(total >> 7)));
    int inputChunk =
        (int) Math.max(MIN_CHUNK_BYTES, Math.min(256 << 10, floorPowerOfTwo(total >> 10)));
    var flush = new WorkMemory.Sizes(chunk, work, 0);
    var merge = new WorkMemory.Sizes(chunk, work, inputChunk * maxInputs(config));
    int openMerges = config.threads().merge() + 1;
    int scratch = total >= (256L << 20) ? 64 << 10 : 16 << 10;
    long write = config.write().initialBytes();
    int batch = (int) Math.min(32 << 20, Math.min(config.log().segmentBytes() / 4, write / 8));
    long fixed =
        flush.totalBytes() * config.threads().flush()
            + merge.totalBytes() * openMerges
            + batch
            + Operations.MAX_CONCURRENT * Workspace.sizeBytes(scratch);
    long pages = (total - fixed) / pageBytes;
    pages = (total - fixed - CacheMemory.fixedBytes((int) pages, pageBytes)) / pageBytes;
    fixed += CacheMemory.fixedBytes((int) pages, pageBytes);
    int writePages = (int) (write / pageBytes);
    if (fixed > total / 4) {
      throw new IllegalArgumentException(
          "memory.total is "
              + total
              + ": buffers for "
              + openMerges
              + " merges and the other fixed parts take "
              + fixed
              + " bytes, must be at most a quarter; raise memory.total or lower threads.merge");
    }
    if (pages - writePages < MIN_POOL_PAGES) {
      throw new IllegalArgumentException(
          "write.initialBytes is "
              + write
              + ", leaves "
              + (pages - writePages)
              + " pages for the buffer cache, must be at least "
              + MIN_POOL_PAGES);
    }
    return new MemoryLayout(
        (int) pages, writePages, fixed, flush, merge, openMerges, scratch, batch);
  }

  private static long floorPowerOfTwo(long bytes) {
    return Long.highestOneBit(bytes);
  }
}
