package org.loam.asterix.runtime;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.apache.hyracks.api.application.IClusterLifecycleListener;
import org.apache.hyracks.api.config.IOption;
import org.apache.hyracks.control.common.controllers.NCConfig;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Says in the log of the cluster controller that a node of a cluster on Loam has joined without
 * Loam. Such a node may be one on whose machine Loam was never installed, so that it cannot say so
 * itself.
 */
public final class StockNodes implements IClusterLifecycleListener {
  private static final Logger LOG = LogManager.getLogger();
  private static final String OURS = "org.loam.";

  @Override
  public void notifyNodeJoin(String nodeId, Map<IOption, Object> configuration) {
    fault(nodeId, configuration.get(NCConfig.Option.APP_CLASS)).ifPresent(LOG::error);
  }

  /**
   * What is wrong with a node; empty if it runs Loam's application.
   *
   * @param application the class that it runs; null if it was not told any
   */
  static Optional<String> fault(String nodeId, @Nullable Object application) {
    return application instanceof String name && name.startsWith(OURS)
        ? Optional.empty()
        : Optional.of(
            "node "
                + nodeId
                + " has joined WITHOUT LOAM: it keeps its data in AsterixDB's own storage ("
                + application
                + "); end it, delete its data if it is a new node, and start it with"
                + " bin/asterixncloam: [nc] command=asterixncloam");
  }

  @Override
  public void notifyNodeFailure(Collection<String> nodeIds) {}
}
