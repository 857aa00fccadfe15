package org.loam.asterix.runtime;

import org.apache.asterix.common.config.StorageProperties;
import org.apache.hyracks.api.application.INCServiceContext;
import org.apache.hyracks.api.io.IIOManager;
import org.apache.hyracks.control.common.controllers.NCConfig;
import org.apache.hyracks.storage.am.lsm.common.api.IIoOperationFailedCallback;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationScheduler;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationSchedulerFactory;
import org.apache.hyracks.storage.am.lsm.common.impls.AsynchronousScheduler;
import org.apache.hyracks.storage.am.lsm.common.impls.GreedyScheduler;
import org.apache.hyracks.storage.common.buffercache.BufferCache;
import org.apache.hyracks.storage.common.buffercache.ClockPageReplacementStrategy;
import org.apache.hyracks.storage.common.buffercache.DelayPageCleanerPolicy;
import org.apache.hyracks.storage.common.buffercache.HeapBufferAllocator;
import org.apache.hyracks.storage.common.buffercache.IBufferCache;
import org.apache.hyracks.storage.common.buffercache.ICacheMemoryAllocator;
import org.apache.hyracks.storage.common.file.FileMapManager;

/**
 * Makes the parts of AsterixDB's own storage, which has the indexes that are not in Loam, as
 * AsterixDB's runtime makes them. One thread.
 */
final class StockStorage {
  /** Pages of closed indexes are written after so many milliseconds at the latest. */
  private static final long PAGE_CLEANER_MILLIS = 600_000;

  private final INCServiceContext service;
  private final StorageProperties settings;
  private final IIOManager ioManager;
  private final ICacheMemoryAllocator allocator = new HeapBufferAllocator();

  StockStorage(INCServiceContext service, StorageProperties settings) {
    this.service = service;
    this.settings = settings;
    this.ioManager = service.getIoManager();
  }

  /**
   * A scheduler of flushes and merges.
   *
   * @param failed is told of one that fails
   */
  ILSMIOOperationScheduler newScheduler(IIoOperationFailedCallback failed) {
    int devices = ioManager.getIODevices().size();
    ILSMIOOperationSchedulerFactory factory =
        AsynchronousScheduler.FACTORY.getName().equalsIgnoreCase(settings.getIoScheduler())
            ? AsynchronousScheduler.FACTORY
            : GreedyScheduler.FACTORY;
    return factory.createIoScheduler(
        service.getThreadFactory(),
        failed,
        settings.geMaxConcurrentFlushes(devices),
        settings.getMaxScheduledMerges(devices),
        settings.getMaxConcurrentMerges(devices));
  }

  /** The write memory, which is not started. */
  LoamMemory newMemory() {
    int flushes = settings.getMaxScheduledFlushes();
    return new LoamMemory(
        allocator, settings, flushes > 0 ? flushes : ioManager.getIODevices().size());
  }

  /** The buffer cache, which is not started. */
  IBufferCache newBufferCache() {
    return new BufferCache(
        ioManager,
        new ClockPageReplacementStrategy(
            allocator, settings.getBufferCachePageSize(), settings.getBufferCacheNumPages()),
        new DelayPageCleanerPolicy(PAGE_CLEANER_MILLIS),
        new FileMapManager(),
        settings.getBufferCacheMaxOpenFiles(),
        service.getAppConfig().getInt(NCConfig.Option.IO_QUEUE_SIZE),
        service.getThreadFactory());
  }
}
