package org.loam.engine.open;

import org.loam.cache.frame.CacheMemory;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.Units;
import org.loam.engine.commit.LargeBatches;
import org.loam.engine.memory.MemoryArbiter;
import org.loam.engine.operation.Operations;
import org.loam.engine.tree.LiveSettings;
import org.loam.engine.tuning.TunerSettings;
import org.loam.lsm.Workspace;
import org.loam.lsm.disk.WriterMemory;
import org.loam.lsm.merge.WorkMemory;
import org.loam.scheduler.work.BackgroundWorkers;

/**
 * How {@code memory.total} is divided; the one place that says so. The fixed parts, allocated at
 * open, scale with the total and are refused above a quarter of it; the rest is one pool, of which
 * write memory and buffer cache have quotas.
 *
 * @param poolPages pages of the pool
 * @param writePages quota of the write memory; the cache has the rest
 * @param leastWritePages the write memory is never made smaller, whatever it was at open
 * @param batchPages one batch may take as many of the write memory, or of the cache for a while
 * @param fixedBytes limit of the fixed parts
 * @param buffers those of background work, in the fixed parts
 * @param scratchBytes scratch memory of an operation
 * @param batch largest batch; below a host's log there is no buffer for one, and no limit here
 */
record MemoryLayout(
    int poolPages,
    int writePages,
    int leastWritePages,
    int batchPages,
    long fixedBytes,
    Buffers buffers,
    int scratchBytes,
    LargeBatches.Limit batch) {

  /**
   * What background work reads and writes with.
   *
   * @param flush of each flush
   * @param merge of each open merge
   * @param load of each bulk load
   * @param openMerges merges that have buffers
   */
  record Buffers(
      WorkMemory.Sizes flush, WorkMemory.Sizes merge, WorkMemory.Sizes load, int openMerges) {}

  private static final int MIN_CHUNK_BYTES = 64 << 10;

  /**
   * With less memory one urgent merge has buffers beside those that fill every thread, not two. If
   * the fixed parts would be too large with them, fewer have, down to none.
   */
  private static final long SMALL_BYTES = 128 << 20;

  private static final int MOST_BATCH_BYTES = 32 << 20;

  private static final int LEAST_WRITE_PAGES = 64;

  private static final int BATCH_PART = 16;

  /** Inputs a merge can always read. */
  private static int maxInputs(EngineConfig config) {
    return config.disk().l0().stop() + LiveSettings.INPUTS_BESIDE_L0;
  }

  /**
   * Divides the memory.
   *
   * @param isHosted whether the engine is below a host's log
   * @throws IllegalArgumentException if it does not suffice, saying for what and how much would
   */
  static MemoryLayout of(EngineConfig config, boolean isHosted) {
    long total = config.memory().totalBytes();
    int pageBytes = config.memory().pageBytes();
    // A new file takes 128 KiB at a time at two thirds of the speed of 1 MiB.
    int chunk = (int) Math.min(1 << 20, floorPowerOfTwo(total >> 8));
    int work =
        (int)
            Math.max(
                WriterMemory.minWorkBytes(pageBytes),
                Math.min(16 << 20, floorPowerOfTwo(total >> 7)));
    int inputChunk =
        (int) Math.max(MIN_CHUNK_BYTES, Math.min(256 << 10, floorPowerOfTwo(total >> 10)));
    var flush = new WorkMemory.Sizes(chunk, work, 0);
    var merge = new WorkMemory.Sizes(chunk, work, inputChunk * maxInputs(config));
    var load = new WorkMemory.Sizes(chunk, work, Workspace.KEY_BYTES);
    int scratch = total >= (256L << 20) ? 64 << 10 : 16 << 10;
    long write = config.write().initialBytes();
    LargeBatches.Limit limit = batchLimit(config);
    int batch = isHosted ? 0 : limit.bytes();
    long besideMerges =
        flush.totalBytes() * config.threads().flush()
            + load.totalBytes() * config.write().bulkLoads()
            + batch
            + Operations.MAX_CONCURRENT * Workspace.sizeBytes(scratch);
    int urgent = total < SMALL_BYTES ? 1 : BackgroundWorkers.Settings.MORE_URGENT;
    int openMerges = config.threads().merge() + urgent;
    long buffers = besideMerges + merge.totalBytes() * openMerges;
    while (openMerges > config.threads().merge()
        && fixedBytes(total, buffers, pageBytes) > total / 4) {
      openMerges--;
      buffers -= merge.totalBytes();
    }
    long fixed = fixedBytes(total, buffers, pageBytes);
    requireFixedFits(total, fixed, openMerges);
    int pages = (int) ((total - fixed) / pageBytes);
    requireWriteFits(
        write,
        (long) (pages - MemoryArbiter.MIN_CACHE_PAGES) * pageBytes + batch,
        isHosted ? 0 : batchLimitBesideWrite(config));
    int writePages = (int) (write / pageBytes);
    int leastWritePages = Math.min(writePages, LEAST_WRITE_PAGES);
    requireTarget(
        config,
        (long) leastWritePages * pageBytes,
        (long) (pages - MemoryArbiter.MIN_CACHE_PAGES) * pageBytes);
    TunerSettings.require(config, (long) pages * pageBytes, (long) leastWritePages * pageBytes);
    return new MemoryLayout(
        pages,
        writePages,
        leastWritePages,
        batchPages(writePages, batch / pageBytes),
        fixed,
        new Buffers(flush, merge, load, openMerges),
        scratch,
        limit);
  }

  private static int batchLimitBesideWrite(EngineConfig config) {
    return (int)
        Math.min(
            MOST_BATCH_BYTES,
            Math.min(config.log().segmentBytes() / 4, config.memory().totalBytes() / 16));
  }

  /** The largest batch that a frame of the log may have, and why it is no larger. */
  private static LargeBatches.Limit batchLimit(EngineConfig config) {
    int limit = batchLimitBesideWrite(config);
    if (config.write().initialBytes() / 8 < limit) {
      return new LargeBatches.Limit(
          (int) (config.write().initialBytes() / 8),
          "an eighth of write.initialBytes",
          "raise write.initialBytes");
    }
    if (limit == MOST_BATCH_BYTES) {
      return new LargeBatches.Limit(limit, "the most of any database", "divide what it has");
    }
    return limit == config.memory().totalBytes() / 16
        ? new LargeBatches.Limit(limit, "a sixteenth of memory.total", "raise memory.total")
        : new LargeBatches.Limit(limit, "a quarter of log.segmentBytes", "raise log.segmentBytes");
  }

  /**
   * What one batch may take: enough for the largest batch of records that are not much smaller than
   * 100 bytes, which take half as much again. For batches of tiny records, or to many trees, it is
   * at least a part of write memory.
   *
   * @param payloadPages size of the largest batch
   */
  private static int batchPages(int writePages, int payloadPages) {
    int least = Math.max(LEAST_WRITE_PAGES, writePages / BATCH_PART);
    return Math.min(writePages, Math.max(2 * payloadPages, least));
  }

  /** The buffers, and the tables of the cache for the pages that the buffers leave. */
  private static long fixedBytes(long total, long buffers, int pageBytes) {
    int allPages = (int) (Math.max(0, total - buffers) / pageBytes);
    long leave = total - buffers - CacheMemory.fixedBytes(allPages, pageBytes);
    int pages = (int) (Math.max(0, leave) / pageBytes);
    return buffers + CacheMemory.fixedBytes(pages, pageBytes);
  }

  private static void requireFixedFits(long total, long fixed, int openMerges) {
    if (fixed > total / 4) {
      throw new IllegalArgumentException(
          "memory.total is "
              + Units.roundBytes(total)
              + ": buffers for "
              + openMerges
              + " merges and the other fixed parts take "
              + Units.roundBytes(fixed)
              + ", must be at most a quarter; raise memory.total or lower threads.merge, l0.stop,"
              + " threads.flush or write.bulkLoads");
    }
  }

  /**
   * @param room for write memory and the largest batch
   */
  private static void requireWriteFits(long write, long room, int batchLimit) {
    // The largest w with w + min(batchLimit, w / 8) <= room.
    long most = Math.max(room - batchLimit, room / 9 * 8);
    if (write > most) {
      throw new IllegalArgumentException(
          "write.initialBytes is "
              + Units.formatBytes(write)
              + ", must be at most "
              + Units.formatBytes(most >> 20 << 20)
              + ", which leaves the fixed parts and the buffer cache their place in memory.total;"
              + " lower it or raise memory.total");
    }
  }

  /** Refuses {@code write.targetBytes} with the rule, unless it states no target. */
  static void requireTarget(EngineConfig config, long leastBytes, long mostBytes) {
    long bytes = config.memory().writeTargetBytes();
    if (bytes > 0) {
      MemoryArbiter.requireTarget("write.targetBytes", bytes, leastBytes, mostBytes);
    }
  }

  private static long floorPowerOfTwo(long bytes) {
    return Long.highestOneBit(bytes);
  }
}
