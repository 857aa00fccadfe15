package org.loam.asterix.suite;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.asterix.api.common.AsterixHyracksIntegrationUtil;
import org.apache.asterix.hyracks.bootstrap.CCApplication;
import org.apache.asterix.hyracks.bootstrap.NCApplication;
import org.apache.hyracks.api.application.ICCApplication;
import org.apache.hyracks.api.application.INCApplication;
import org.apache.hyracks.control.common.config.ConfigManager;
import org.apache.hyracks.control.common.controllers.CCConfig;
import org.apache.hyracks.control.common.controllers.NCConfig;
import org.apache.hyracks.control.nc.NodeControllerService;
import org.loam.asterix.LoamCCApplication;
import org.loam.asterix.LoamNCApplication;
import org.loam.asterix.runtime.LoamRuntimeContext;

/** AsterixDB's cluster in one process, as its own tests have it, on a storage of ours. */
final class SuiteCluster extends AsterixHyracksIntegrationUtil {
  private static final Path FILE = Path.of("cc.conf");
  private static final String LOOPBACK = "127.0.0.1";

  /** The property with the settings of Loam on each node. */
  private static final String SETTINGS = "loam.suite.settings";

  private final boolean onLoam;
  private final SuiteConfiguration configuration;

  /**
   * @param onLoam whether B+-tree indexes are Loam's; else all of them are AsterixDB's
   */
  SuiteCluster(boolean onLoam, SuiteConfiguration configuration) {
    this.onLoam = onLoam;
    this.configuration = configuration;
  }

  /** The configuration file, written to the working directory. */
  Path writeConfiguration() throws IOException {
    return Files.writeString(FILE, configuration.text(onLoam, System.getProperty(SETTINGS, "")));
  }

  /**
   * Changes a live setting of Loam on all nodes that have it.
   *
   * @param setting as in {@code tuner.mode=ADAPTIVE}; empty for none
   * @throws IllegalArgumentException if it is refused
   */
  void configure(String setting) {
    if (onLoam && !setting.isEmpty()) {
      String[] parts = setting.split("=", 2);
      for (NodeControllerService node : ncs) {
        LoamRuntimeContext context = (LoamRuntimeContext) node.getApplicationContext();
        context.loam().configure(parts[0], parts[1]);
      }
    }
  }

  InetSocketAddress queryService() {
    return InetSocketAddress.createUnresolved(LOOPBACK, configuration.apiPort());
  }

  /** The HTTP interfaces of the node controllers. */
  Map<String, InetSocketAddress> nodes() {
    Map<String, InetSocketAddress> nodes = new HashMap<>();
    for (int i = 0; i < configuration.nodePorts().size(); i++) {
      nodes.put(
          SuiteConfiguration.nodeId(i + 1),
          InetSocketAddress.createUnresolved(LOOPBACK, configuration.nodePorts().get(i)));
    }
    return nodes;
  }

  @Override
  protected CCConfig createCCConfig(ConfigManager config) throws IOException {
    CCConfig cc = super.createCCConfig(config);
    cc.setClusterListenPort(configuration.clusterPort());
    cc.setClientListenPort(configuration.clientPort());
    return cc;
  }

  @Override
  protected NCConfig createNCConfig(String node, ConfigManager config) {
    NCConfig nc = super.createNCConfig(node, config);
    nc.setClusterPort(configuration.clusterPort());
    return nc;
  }

  @Override
  protected ICCApplication createCCApplication() {
    return onLoam ? new LoamCCApplication() : new CCApplication();
  }

  @Override
  protected INCApplication createNCApplication() {
    return onLoam ? new LoamNCApplication() : new NCApplication();
  }
}
