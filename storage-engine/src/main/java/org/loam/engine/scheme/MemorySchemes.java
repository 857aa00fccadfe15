package org.loam.engine.scheme;

import org.loam.common.config.EngineConfig;
import org.loam.lsm.FlushPolicy;

/** Makes the scheme that a configuration asks for. */
public final class MemorySchemes {
  private MemorySchemes() {}

  /**
   * The scheme of a configuration.
   *
   * @param isHosted whether the engine is below the log of a host
   */
  public static MemoryScheme of(EngineConfig config, boolean isHosted) {
    ByPolicy policy = new ByPolicy(policy(config));
    MemoryScheme own =
        switch (config.write().scheme()) {
          case DYNAMIC -> new DynamicScheme(policy);
          case RANGES -> new RangesScheme(policy, config.memory().pageBytes());
          case LEVELS -> levels(config, policy, isHosted);
        };
    return isHosted ? new HostedScheme(own) : own;
  }

  /** A host has whole trees flushed, so that there is nothing to merge in memory. */
  private static MemoryScheme levels(EngineConfig config, ByPolicy policy, boolean isHosted) {
    long pageBytes = config.memory().pageBytes();
    return isHosted
        ? new RangesScheme(policy, pageBytes)
        : new LevelsScheme(policy, pageBytes, config.write().levels());
  }

  private static FlushPolicy policy(EngineConfig config) {
    return switch (config.write().flushPolicy()) {
      case MAX_MEMORY -> FlushPolicy.MAX_MEMORY;
      case MIN_LSN -> FlushPolicy.MIN_LSN;
      case OPTIMAL -> FlushPolicy.OPTIMAL;
    };
  }
}
