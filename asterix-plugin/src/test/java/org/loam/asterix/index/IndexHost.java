package org.loam.asterix.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.io.FileUtils;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.api.io.IODeviceHandle;
import org.apache.hyracks.control.nc.io.DefaultDeviceResolver;
import org.apache.hyracks.control.nc.io.IOManager;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationScheduler;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMOperationTracker;
import org.apache.hyracks.storage.am.lsm.common.impls.NoMergePolicy;
import org.apache.hyracks.storage.am.lsm.common.impls.NoOpPageWriteCallbackFactory;
import org.apache.hyracks.storage.common.buffercache.BufferCache;
import org.apache.hyracks.storage.common.buffercache.ClockPageReplacementStrategy;
import org.apache.hyracks.storage.common.buffercache.DelayPageCleanerPolicy;
import org.apache.hyracks.storage.common.buffercache.HeapBufferAllocator;
import org.apache.hyracks.storage.common.file.FileMapManager;
import org.apache.hyracks.util.trace.ITracer;
import org.loam.asterix.node.LoamNode;
import org.loam.common.config.EngineConfig;
import org.loam.engine.EngineStatistics;

/**
 * A node as far as an index needs one, in a temporary directory: Loam's engine, and what Hyracks
 * gives to each index.
 */
public final class IndexHost implements AutoCloseable {
  private static final int PAGE_BYTES = 4096;
  private static final int PAGES = 8;

  private final Path directory;
  private final IOManager ioManager;
  private final BufferCache bufferCache;
  private final NodeMemory memory = new NodeMemory(PAGE_BYTES, PAGES);
  private final AtomicLong endLsn = new AtomicLong(1);
  private final LimitedDisk disk = new LimitedDisk();
  private LoamNode loam;

  /** A node without indexes. */
  public IndexHost() {
    try {
      directory = Files.createTempDirectory("loam");
      ioManager =
          new IOManager(
              List.of(new IODeviceHandle(directory.toFile(), ".")),
              new DefaultDeviceResolver(),
              1,
              10);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    bufferCache =
        new BufferCache(
            ioManager,
            new ClockPageReplacementStrategy(new HeapBufferAllocator(), PAGE_BYTES, PAGES),
            new DelayPageCleanerPolicy(600_000),
            new FileMapManager(),
            PAGES,
            PAGES,
            Thread::new);
    loam = openEngine();
  }

  private LoamNode openEngine() {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64L << 20).flushThreshold(0.6).build();
    return new LoamNode(
        disk.env(), List.of(directory.resolve("loam")), config, endLsn::incrementAndGet);
  }

  /** As after a crash: what was not flushed is gone, and no index is open. */
  void crash() {
    loam.close();
    loam = openEngine();
  }

  /** What the engine holds and has done. */
  public EngineStatistics statistics() {
    return loam.statistics();
  }

  LoamNode loam() {
    return loam;
  }

  /** Whether AsterixDB has no memory left for its own indexes. */
  void stockMemoryFull(boolean full) {
    memory.full = full;
  }

  /** The file system of the engine's files. */
  LimitedDisk disk() {
    return disk;
  }

  /** Of everything; the one I/O device. */
  Path directory() {
    return directory;
  }

  IOManager ioManager() {
    return ioManager;
  }

  /** The end of AsterixDB's log, which grows with each look. */
  long nextLsn() {
    return endLsn.incrementAndGet();
  }

  /** The directory of an index; there need be none. */
  public FileReference resolve(String path) {
    try {
      return ioManager.resolve(path);
    } catch (HyracksDataException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What an index is given. */
  public IndexSite site(
      FileReference index,
      ILSMOperationTracker tracker,
      ILSMIOOperationScheduler scheduler,
      IoCallbacks.Factory ioCallbacks,
      ResourceId resource,
      LastNoted noted) {
    return new IndexSite(
        loam,
        new IndexSite.Place(ioManager, index),
        new IndexSite.Memory(List.of(memory, memory), bufferCache),
        new IndexSite.Duties(
            new NoMergePolicy(),
            tracker,
            scheduler,
            new IoCallbacks(ioCallbacks),
            NoOpPageWriteCallbackFactory.INSTANCE),
        ITracer.NONE,
        resource,
        noted);
  }

  @Override
  public void close() {
    loam.close();
    try {
      bufferCache.close();
      ioManager.close();
      FileUtils.deleteDirectory(directory.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
