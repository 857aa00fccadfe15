package org.loam.asterix;

import java.util.ArrayList;
import java.util.Map;
import org.apache.asterix.api.http.server.ServletConstants;
import org.apache.asterix.app.nc.NCExtensionManager;
import org.apache.asterix.app.replication.message.RegistrationTasksRequestMessage;
import org.apache.asterix.common.transactions.Checkpoint;
import org.apache.asterix.common.transactions.IRecoveryManager.SystemState;
import org.apache.asterix.common.transactions.IRecoveryManagerFactory;
import org.apache.asterix.common.utils.StorageConstants;
import org.apache.asterix.hyracks.bootstrap.NCApplication;
import org.apache.asterix.messaging.MessagingChannelInterfaceFactory;
import org.apache.asterix.messaging.NCMessageBroker;
import org.apache.asterix.util.MetadataBuiltinFunctions;
import org.apache.hyracks.api.client.NodeStatus;
import org.apache.hyracks.api.config.IConfigManager;
import org.apache.hyracks.api.control.CcId;
import org.apache.hyracks.control.nc.NodeControllerService;
import org.apache.hyracks.http.server.HttpServer;
import org.apache.hyracks.http.server.WebManager;
import org.loam.asterix.node.LoamNode;
import org.loam.asterix.runtime.KnownOptions;
import org.loam.asterix.runtime.LoamMessages;
import org.loam.asterix.runtime.LoamRecovery;
import org.loam.asterix.runtime.LoamResourceRegistry;
import org.loam.asterix.runtime.LoamRuntimeContext;
import org.loam.asterix.runtime.LoamServlet;
import org.loam.asterix.runtime.StartException;

/** AsterixDB's node controller with its B+-tree indexes in Loam: {@code [nc] app.class}. */
public final class LoamNCApplication extends NCApplication {
  private static final String HOST_NAME = "java.rmi.server.hostname";

  @Override
  public void registerConfig(IConfigManager config) {
    super.registerConfig(config);
    KnownOptions.register(config);
  }

  @Override
  protected void configurePersistedResourceRegistry() {
    ncServiceCtx.setPersistedResourceRegistry(new LoamResourceRegistry());
  }

  @Override
  protected IRecoveryManagerFactory getRecoveryManagerFactory() {
    return LoamRecovery::new;
  }

  @Override
  public void start(String[] args) {
    StartException.aloud(() -> startNode(args));
  }

  /** As AsterixDB starts, with another runtime. */
  private void startNode(String[] args) throws Exception {
    if (args.length > 0) {
      throw new StartException("unknown argument " + args[0] + "; there are none");
    }
    NodeControllerService controller = controller();
    if (System.getProperty(HOST_NAME) == null) {
      System.setProperty(HOST_NAME, controller.getConfiguration().getClusterPublicAddress());
    }
    MetadataBuiltinFunctions.init();
    ncExtensionManager = new NCExtensionManager(new ArrayList<>(getExtensions()));
    runtimeContext =
        new LoamRuntimeContext(ncServiceCtx, ncExtensionManager, getPropertiesFactory());
    String nodeId = ncServiceCtx.getNodeId();
    if (!runtimeContext.getMetadataProperties().getNodeNames().contains(nodeId)) {
      controller.getConfiguration().getConfigManager().ensureNode(nodeId);
    }
    runtimeContext.initialize(
        getRecoveryManagerFactory(),
        getReceptionistFactory(),
        getConfigValidatorFactory(),
        getReplicationStrategyFactory(),
        runtimeContext.getNodeProperties().isInitialRun());
    NCMessageBroker broker =
        new LoamMessages(
            controller, runtimeContext.getMessagingProperties(), loamContext()::willSend);
    ncServiceCtx.setMessageBroker(broker);
    ncServiceCtx.setMessagingChannelInterfaceFactory(
        new MessagingChannelInterfaceFactory(broker, runtimeContext.getMessagingProperties()));
    requireStorageVersion();
    webManager = new WebManager();
    runtimeContext.getIoManager().deleteWorkspaceFiles();
  }

  private void requireStorageVersion() throws Exception {
    Checkpoint latest = runtimeContext.getTransactionSubsystem().getCheckpointManager().getLatest();
    if (latest != null && latest.getStorageVersion() != StorageConstants.VERSION) {
      throw new StartException(
          "the data has storage version "
              + latest.getStorageVersion()
              + ", this AsterixDB has "
              + StorageConstants.VERSION);
    }
  }

  private LoamRuntimeContext loamContext() {
    return (LoamRuntimeContext) runtimeContext;
  }

  private NodeControllerService controller() {
    return (NodeControllerService) ncServiceCtx.getControllerService();
  }

  @Override
  protected void configureServers() throws Exception {
    super.configureServers();
    HttpServer api = api();
    LoamNode loam = loamContext().loam();
    for (LoamServlet.Format format : LoamServlet.Format.values()) {
      api.addServlet(new LoamServlet(api.ctx(), loam, format));
    }
  }

  /** The server of the node's HTTP API. */
  private HttpServer api() {
    return webManager.getServers().get(webManager.getServers().size() - 1);
  }

  /** As AsterixDB registers, with what it keeps in private. */
  @Override
  public synchronized void tasksCompleted(CcId ccId) throws Exception {
    while (!startupCompleted) {
      wait();
    }
    NodeControllerService controller = controller();
    NodeStatus status = controller.getNodeStatus();
    CcId primary = controller.getPrimaryCcId();
    boolean isStarting = status == NodeStatus.IDLE && (primary == null || primary.equals(ccId));
    RegistrationTasksRequestMessage.send(
        ccId,
        controller,
        status,
        isStarting ? systemState() : SystemState.HEALTHY,
        Map.of(ServletConstants.SYS_AUTH_HEADER, api().ctx().get(ServletConstants.SYS_AUTH_HEADER)),
        runtimeContext.getMetadataProperties().getNodePartitions(ncServiceCtx.getNodeId()));
  }

  private SystemState systemState() {
    SystemState state =
        runtimeContext.getTransactionSubsystem().getRecoveryManager().getSystemState();
    boolean isNew =
        runtimeContext.getNodeProperties().isInitialRun()
            || runtimeContext.getNodeProperties().isVirtualNc();
    return state == SystemState.PERMANENT_DATA_LOSS && isNew ? SystemState.BOOTSTRAPPING : state;
  }
}
