package org.loam.engine.open;

import java.util.ArrayList;
import java.util.List;
import org.loam.cache.CacheCounters;
import org.loam.cache.frame.CacheMemory;
import org.loam.cache.frame.FrameCache;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.Waiter;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.FixedMemory;
import org.loam.common.mem.PagePool;
import org.loam.common.mem.TouchAhead;
import org.loam.engine.memory.MemoryArbiter;
import org.loam.engine.operation.Closing;
import org.loam.engine.tuning.PageWatch;
import org.loam.engine.tuning.WriteWatch;
import org.loam.tuner.TunerOptions;

/**
 * The memory of an engine, divided: fixed buffers and tables, and one pool of pages for write
 * memory and buffer cache, with the epochs of those that read it. Freed by {@link #close}, also
 * when making the next part failed.
 */
public final class EngineMemory implements AutoCloseable {
  private final List<Runnable> closers = new ArrayList<>();
  private final PageWatch pageWatch;
  private final WriteWatch writeWatch;
  private final CacheCounters cacheCounters;
  private final long fixedBytes;
  private final FixedMemory fixed;
  private final PagePool pool;
  private final PagePool.Quota writeQuota;
  private final PagePool.Quota cacheQuota;
  private final FrameCache cache;
  private final MemoryArbiter arbiter;
  private final Epochs memoryEpochs;
  private final Epochs fileEpochs;

  EngineMemory(MemoryLayout layout, int pageBytes, StorageEnv env) {
    Waiter waiter = env.waiter();
    this.fixedBytes = layout.fixedBytes();
    this.pageWatch =
        new PageWatch(
            layout.poolPages(),
            pageBytes,
            TunerOptions.ghostBytes((long) layout.poolPages() * pageBytes));
    this.writeWatch = new WriteWatch((long) layout.poolPages() * pageBytes, pageWatch);
    this.cacheCounters = new CacheCounters(pageWatch, env.clock());
    this.memoryEpochs = new Epochs(waiter);
    this.fileEpochs = new Epochs(waiter);
    try {
      fixed = new FixedMemory(layout.fixedBytes());
      closers.add(fixed::close);
      pool = new PagePool(layout.poolPages(), pageBytes);
      closers.add(pool::discard);
      closers.add(new TouchAhead(env, pool)::close);
      writeQuota = pool.quota("write memory", layout.writePages());
      cacheQuota = pool.quota("buffer cache", layout.poolPages() - layout.writePages());
      cache = new FrameCache(new CacheMemory(pool, cacheQuota, fixed), waiter, cacheCounters);
      closers.add(cache::close);
      arbiter =
          new MemoryArbiter(
              pool, writeQuota, cacheQuota, this::resizeCache, layout.leastWritePages());
    } catch (Throwable t) {
      close();
      throw t;
    }
  }

  /**
   * Has the cache take a step towards its size. Inside, as a reader is, so that the close does not
   * free the cache meanwhile: a writer that waits for memory borrows outside of any operation.
   *
   * @throws org.loam.common.error.ClosedException if the engine was closed
   */
  private void resizeCache() {
    int slot = memoryEpochs.enter();
    try {
      cache.resize();
    } finally {
      memoryEpochs.exit(slot);
    }
  }

  /** Of the fixed parts. */
  public long fixedBytes() {
    return fixedBytes;
  }

  FixedMemory fixed() {
    return fixed;
  }

  public PagePool pool() {
    return pool;
  }

  public PagePool.Quota writeQuota() {
    return writeQuota;
  }

  public PagePool.Quota cacheQuota() {
    return cacheQuota;
  }

  public FrameCache cache() {
    return cache;
  }

  /** Divides the pool between write memory and cache. */
  public MemoryArbiter arbiter() {
    return arbiter;
  }

  /** Shows pages of the cache to the tuner. */
  PageWatch pageWatch() {
    return pageWatch;
  }

  WriteWatch writeWatch() {
    return writeWatch;
  }

  CacheCounters cacheCounters() {
    return cacheCounters;
  }

  /** Readers of memory components are inside. */
  public Epochs memoryEpochs() {
    return memoryEpochs;
  }

  /** Readers of tables are inside. */
  Epochs fileEpochs() {
    return fileEpochs;
  }

  /** Those inside leave; what they kept from being released is released then. */
  void awaitReaders() {
    Throwable first = Closing.run(memoryEpochs::close, null);
    Closing.rethrow(Closing.run(fileEpochs::close, first));
  }

  @Override
  public void close() {
    Closing.inReverse(closers);
  }
}
