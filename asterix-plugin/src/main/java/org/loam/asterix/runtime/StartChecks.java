package org.loam.asterix.runtime;

import org.apache.asterix.common.config.StorageProperties;
import org.apache.hyracks.api.application.INCServiceContext;
import org.apache.hyracks.api.config.IApplicationConfig;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.loam.asterix.merge.BlockCompression;
import org.loam.common.config.MachineMemory;

/** What a node checks of its configuration before it begins. */
final class StartChecks {
  private static final Logger LOG = LogManager.getLogger();

  private StartChecks() {}

  /** What the configuration says, if the machine has the memory for it. */
  static LoamSettings settings(INCServiceContext service, StorageProperties stock) {
    IApplicationConfig config = service.getAppConfig();
    long machineBytes = MachineMemory.limitBytes();
    LoamSettings settings = StartException.unless(() -> LoamSettings.of(config, machineBytes));
    NodeMemory own =
        new NodeMemory(
            service.getNodeId(),
            StorageProperties.MAX_HEAP_BYTES,
            settings.engine().memory().totalBytes());
    own.check(NodeMemory.beside(own, config, machineBytes), machineBytes).ifPresent(LOG::warn);
    own.stockDefault("storage.buffercache.size", stock.getBufferCacheSize()).ifPresent(LOG::warn);
    own.stockDefault("storage.memorycomponent.globalbudget", stock.getMemoryComponentGlobalBudget())
        .ifPresent(LOG::warn);
    BlockCompression.note(stock.getCompressionScheme()).ifPresent(LOG::warn);
    return settings;
  }

  static void requireNoReplication(boolean isEnabled) {
    if (isEnabled) {
      throw new StartException(
          "replication is enabled, but indexes in Loam are not replicated; set"
              + " replication.enabled=false, or use AsterixDB's storage:"
              + " [nc] app.class=org.apache.asterix.hyracks.bootstrap.NCApplication");
    }
  }
}
