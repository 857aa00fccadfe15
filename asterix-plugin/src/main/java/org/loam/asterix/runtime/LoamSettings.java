package org.loam.asterix.runtime;

import java.io.StringReader;
import org.apache.hyracks.api.config.IApplicationConfig;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.ConfigException;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.config.PageCacheUse;
import org.loam.common.config.TunerMode;
import org.loam.common.config.Units;
import org.loam.common.config.WriteScheme;

/**
 * What a node's configuration says of Loam.
 *
 * @param engine the settings of the engine
 * @param withMetadata whether AsterixDB's own datasets are in Loam, too
 */
record LoamSettings(EngineConfig engine, boolean withMetadata) {
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

  /**
   * Reads the options.
   *
   * @throws IllegalArgumentException naming what is wrong
   */
  static LoamSettings of(IApplicationConfig config, long machineBytes) {
    return of(
        config.getString(LoamOption.LOAM_MEMORY),
        config.getString(LoamOption.LOAM_SETTINGS),
        config.getBoolean(LoamOption.LOAM_METADATA),
        machineBytes);
  }

  static LoamSettings of(
      @Nullable String memory, @Nullable String others, boolean withMetadata, long machineBytes) {
    EngineConfigBuilder builder =
        EngineConfig.builder()
            .flushThreshold(FLUSH_THRESHOLD)
            .writeScheme(WriteScheme.DYNAMIC)
            .l0ScanFreeRatio(L0_SCAN_FREE_RATIO)
            .l0Stop(L0_STOP)
            .bulkLoads(BULK_LOADS)
            .ioPageCache(PageCacheUse.READS)
            .tunerMode(TunerMode.FROZEN);
    if (others != null) {
      builder.yaml(new StringReader(others));
    }
    if (memory != null) {
      if (builder.hasMemoryTotal()) {
        throw new IllegalArgumentException(
            "[nc] loam.settings has memory.total, and there is loam.memory; remove one of them");
      }
      builder.memoryTotalBytes(memoryBytes(memory, machineBytes));
    }
    try {
      return new LoamSettings(builder.machineBytes(machineBytes).build(), withMetadata);
    } catch (ConfigException e) {
      throw new IllegalArgumentException("[nc] loam.*: " + e.getMessage(), e);
    }
  }

  private static long memoryBytes(String text, long machineBytes) {
    long bytes;
    try {
      bytes = Units.parseBytes(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("[nc] loam.memory: " + e.getMessage(), e);
    }
    if (bytes > machineBytes) {
      throw new IllegalArgumentException(
          "[nc] loam.memory: "
              + text
              + ", must be at most the "
              + Units.roundBytes(machineBytes)
              + " that the machine or the control group has");
    }
    return bytes;
  }
}
