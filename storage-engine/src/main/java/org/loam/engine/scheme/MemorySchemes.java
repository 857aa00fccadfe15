package org.loam.engine.scheme;

import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteConfig;
import org.loam.common.config.WriteScheme;
import org.loam.lsm.FlushPolicy;
import org.loam.lsm.memory.MemoryLeveling;

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
    MemoryScheme dynamic = new DynamicScheme(policy);
    WriteScheme scheme = config.write().scheme();
    if (isHosted) {
      // A host flushes a dataset when it is ready to, so that the writes of none could wait, and
      // it flushes all of a tree, so that there is nothing to merge in memory.
      boolean isDivided = scheme == WriteScheme.RANGES || scheme == WriteScheme.LEVELS;
      MemoryScheme own = isDivided ? ranges(config, policy, HostedScheme.FULL_RATIO) : dynamic;
      return new HostedScheme(own, policy);
    }
    return switch (scheme) {
      case DYNAMIC -> dynamic;
      case RANGES -> ranges(config, policy, RangesScheme.FULL_RATIO);
      case STATIC -> new StaticScheme(config.write().activeDatasets());
      case STATIC_TUNED -> new StaticScheme(0);
      case LEVELS -> new LevelsScheme(policy, config.memory().pageBytes(), config.write().levels());
      case ACCORDION_INDEX -> accordion(config, policy, false);
      case ACCORDION_DATA -> accordion(config, policy, true);
    };
  }

  /**
   * The scheme of a changed configuration. One that knows more than its settings, as which datasets
   * have a place, stays if it would be the same.
   *
   * @param now the scheme of the configuration before
   */
  public static MemoryScheme after(
      MemoryScheme now, EngineConfig before, EngineConfig changed, boolean isHosted) {
    WriteConfig old = before.write();
    WriteConfig write = changed.write();
    boolean stays =
        old.scheme() == write.scheme()
            && switch (write.scheme()) {
              case STATIC -> old.activeDatasets() == write.activeDatasets();
              case STATIC_TUNED -> true;
              case DYNAMIC, RANGES, LEVELS, ACCORDION_INDEX, ACCORDION_DATA -> false;
            };
    return stays && !isHosted ? now : of(changed, isHosted);
  }

  private static MemoryScheme ranges(EngineConfig config, ByPolicy policy, double fullRatio) {
    return new RangesScheme(policy, config.memory().pageBytes(), fullRatio);
  }

  private static MemoryScheme accordion(EngineConfig config, ByPolicy policy, boolean copiesData) {
    return new AccordionScheme(
        policy,
        config.memory().pageBytes(),
        config.write().levels().activeBytes(),
        new MemoryLeveling.Pipeline(AccordionScheme.MOST_RUNS, copiesData));
  }

  private static FlushPolicy policy(EngineConfig config) {
    return switch (config.write().flushPolicy()) {
      case MAX_MEMORY -> FlushPolicy.MAX_MEMORY;
      case MIN_LSN -> FlushPolicy.MIN_LSN;
      case OPTIMAL -> FlushPolicy.OPTIMAL;
    };
  }
}
