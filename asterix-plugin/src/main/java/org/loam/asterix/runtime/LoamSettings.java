package org.loam.asterix.runtime;

import java.io.StringReader;
import org.apache.hyracks.api.config.IApplicationConfig;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.ConfigException;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.config.NodeDefaults;
import org.loam.common.config.Units;

/**
 * What a node's configuration says of Loam.
 *
 * @param engine the settings of the engine
 * @param withMetadata whether AsterixDB's own datasets are in Loam, too
 */
record LoamSettings(EngineConfig engine, boolean withMetadata) {
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
    EngineConfigBuilder builder = NodeDefaults.builder();
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
