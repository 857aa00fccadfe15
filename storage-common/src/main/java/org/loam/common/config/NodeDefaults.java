package org.loam.common.config;

/**
 * The defaults of an engine below AsterixDB, which differ from those of other engines: those that a
 * node begins with, and a program that looks at what a node is told. {@link Settings} names them.
 */
public final class NodeDefaults {
  /**
   * How full write memory gets before something is flushed: a flush waits for the operations
   * inside, which still need memory then.
   */
  private static final double FLUSH_THRESHOLD = 0.6;

  /**
   * Scans follow feeds: a deep L0 would have to be merged beside the first queries, which would
   * take their time.
   */
  private static final int L0_SCAN_FREE_RATIO = 1;

  /** Writers are paced and stopped four tables earlier, as L0 is merged so much earlier. */
  private static final int L0_STOP = 12;

  /**
   * A statement loads one index at a time on each I/O device. The buffers of a load take a 85th of
   * the memory, at most 17 MiB; those beyond go through write memory.
   */
  private static final int BULK_LOADS = 4;

  private NodeDefaults() {}

  /** All of them; {@code memory.total} has none. */
  public static EngineConfigBuilder builder() {
    return EngineConfig.builder()
        .flushThreshold(FLUSH_THRESHOLD)
        .writeScheme(WriteScheme.DYNAMIC)
        .l0ScanFreeRatio(L0_SCAN_FREE_RATIO)
        .l0Stop(L0_STOP)
        .bulkLoads(BULK_LOADS)
        .ioPageCache(PageCacheUse.READS)
        .tunerMode(TunerMode.FROZEN);
  }
}
