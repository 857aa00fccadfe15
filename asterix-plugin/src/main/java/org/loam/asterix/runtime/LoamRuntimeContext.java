package org.loam.asterix.runtime;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.apache.asterix.active.ActiveManager;
import org.apache.asterix.app.nc.IndexCheckpointManagerProvider;
import org.apache.asterix.app.nc.NCAppRuntimeContext;
import org.apache.asterix.app.nc.NCExtensionManager;
import org.apache.asterix.app.nc.ReplicaManager;
import org.apache.asterix.app.nc.TransactionSubsystem;
import org.apache.asterix.common.api.IConfigValidator;
import org.apache.asterix.common.api.IConfigValidatorFactory;
import org.apache.asterix.common.api.IDatasetLifecycleManager;
import org.apache.asterix.common.api.IDiskWriteRateLimiterProvider;
import org.apache.asterix.common.api.IPropertiesFactory;
import org.apache.asterix.common.api.IReceptionist;
import org.apache.asterix.common.api.IReceptionistFactory;
import org.apache.asterix.common.context.DiskWriteRateLimiterProvider;
import org.apache.asterix.common.library.ILibraryManager;
import org.apache.asterix.common.messaging.api.ICcAddressedMessage;
import org.apache.asterix.common.replication.IReplicationStrategyFactory;
import org.apache.asterix.common.storage.IIndexCheckpointManagerProvider;
import org.apache.asterix.common.storage.IReplicaManager;
import org.apache.asterix.common.transactions.IRecoveryManager.SystemState;
import org.apache.asterix.common.transactions.IRecoveryManagerFactory;
import org.apache.asterix.common.transactions.ITransactionSubsystem;
import org.apache.asterix.external.library.ExternalLibraryManager;
import org.apache.asterix.metadata.MetadataManager;
import org.apache.hyracks.api.application.INCServiceContext;
import org.apache.hyracks.api.client.NodeStatus;
import org.apache.hyracks.api.io.IIOManager;
import org.apache.hyracks.api.lifecycle.ILifeCycleComponent;
import org.apache.hyracks.api.lifecycle.ILifeCycleComponentManager;
import org.apache.hyracks.control.nc.NodeControllerService;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationScheduler;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMMergePolicyFactory;
import org.apache.hyracks.storage.am.lsm.common.api.IVirtualBufferCache;
import org.apache.hyracks.storage.am.lsm.common.impls.ConcurrentMergePolicyFactory;
import org.apache.hyracks.storage.common.ILocalResourceRepository;
import org.apache.hyracks.storage.common.buffercache.IBufferCache;
import org.apache.hyracks.util.MaintainedThreadNameExecutorService;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.loam.asterix.merge.MergePolicies;
import org.loam.asterix.node.LoamNode;

/**
 * The runtime of a node controller whose B+-tree indexes are in Loam. It has one Loam engine, which
 * is opened before AsterixDB recovers and closed after AsterixDB has flushed; the rest is what
 * AsterixDB's own runtime consists of.
 */
public final class LoamRuntimeContext extends NCAppRuntimeContext {
  private static final Logger LOG = LogManager.getLogger();

  private final INCServiceContext service;
  private final Parts parts = new Parts();

  /** Everything that is made when the node starts. */
  @SuppressWarnings("NullAway.Init")
  private static final class Parts {
    HaltingHost host;
    LoamNode loam;
    IIOManager ioManager;
    ExecutorService threads;
    ILSMIOOperationScheduler scheduler;
    ILSMMergePolicyFactory metadataMergePolicy;
    IIndexCheckpointManagerProvider checkpoints;
    LoamResources resources;
    IConfigValidator configValidator;
    ITransactionSubsystem transactions;
    IVirtualBufferCache memory;
    LoamDatasets datasets;
    IReplicaManager replicas;
    ActiveManager active;
    IReceptionist receptionist;
    IBufferCache bufferCache;
    ExternalLibraryManager libraries;
    IDiskWriteRateLimiterProvider rateLimiters;
  }

  /** A runtime that is not initialized. */
  public LoamRuntimeContext(
      INCServiceContext service, NCExtensionManager extensions, IPropertiesFactory properties) {
    super(service, extensions, properties);
    this.service = service;
  }

  /** The node's engine. */
  public LoamNode loam() {
    return parts.loam;
  }

  // ---- Start.

  /** The node will send a message to the cluster controller. */
  public void willSend(ICcAddressedMessage message) {
    parts.host.willSend(message);
  }

  @Override
  public void initialize(
      IRecoveryManagerFactory recoveries,
      IReceptionistFactory receptionists,
      IConfigValidatorFactory configValidators,
      IReplicationStrategyFactory replicationStrategies,
      boolean initialRun)
      throws IOException {
    StartChecks.requireNoReplication(getReplicationProperties().isReplicationEnabled());
    LoamSettings settings = StartChecks.settings(service, getStorageProperties());
    parts.ioManager = service.getIoManager();
    List<Path> directories = LoamDirectories.on(parts.ioManager.getIODevices());
    LogDirectory log = LogDirectory.of(service, getTransactionProperties());
    StorageRoots roots = StorageRoots.on(parts.ioManager.getIODevices());
    log.require(initialRun, directories, roots);
    parts.threads =
        MaintainedThreadNameExecutorService.newCachedThreadPool(service.getThreadFactory());
    StockStorage stock = new StockStorage(service, getStorageProperties());
    StartFault fault = new StartFault(this::isStarting, log::problem);
    new HaltLog(fault::willEnd).install();
    parts.host = new HaltingHost(() -> parts.transactions.getLogManager().getAppendLSN(), fault);
    parts.scheduler = stock.newScheduler(parts.host);
    parts.metadataMergePolicy = new ConcurrentMergePolicyFactory();
    parts.checkpoints = new IndexCheckpointManagerProvider(parts.ioManager);
    parts.resources =
        new LoamResources(
            parts.ioManager,
            parts.checkpoints,
            service.getPersistedResourceRegistry(),
            settings.withMetadata());
    parts.configValidator = configValidators.create();
    parts.transactions = new TransactionSubsystem(this, recoveries);
    SystemState state = parts.transactions.getRecoveryManager().getSystemState();
    boolean isNew = initialRun || state == SystemState.PERMANENT_DATA_LOSS;
    if (isNew) {
      LOG.warn("deleting all data: initial run {}, state {}", initialRun, state);
      parts.resources.deleteStorageData();
      LoamDirectories.empty(directories);
    }
    // AsterixDB does it once it has read all descriptions, and fails at those half-written.
    parts.resources.deleteCorruptedResources();
    List<String> indexes = roots.indexes();
    parts.resources.requireServed(directories.get(0));
    log.requireData(initialRun, directories.get(0), indexes);
    for (String shared : parts.resources.sharedIdentifiers()) {
      LOG.error(shared);
      System.err.println("WARNING: " + shared);
    }
    parts.loam =
        StartException.unless(() -> new LoamNode(directories, settings.engine(), parts.host));
    new FullDiskLog(parts.loam::isDiskFull).install();
    roots.requireThoseOf(parts.loam.trees());
    indexes.addAll(parts.resources.paths());
    parts.loam.trees().retain(indexes);
    parts.resources.describeMerges(parts.loam);
    makeStorage(stock);
    makeRest(receptionists, isNew);
    registerAll();
  }

  /** AsterixDB still has to recover the node, or to flush what it has recovered. */
  private boolean isStarting() {
    NodeControllerService controller = (NodeControllerService) service.getControllerService();
    return controller.getNodeStatus() != NodeStatus.ACTIVE;
  }

  private void makeStorage(StockStorage stock) {
    LoamMemory memory = stock.newMemory();
    // Now, because bootstrapping the metadata needs it, which is before components are started.
    memory.start();
    parts.memory = memory;
    parts.datasets =
        new LoamDatasets(
            service,
            getStorageProperties(),
            parts.resources,
            parts.transactions.getLogManager(),
            memory,
            parts.checkpoints);
    parts.bufferCache = stock.newBufferCache();
  }

  @SuppressWarnings("deprecation") // AsterixDB has no other way to name that directory.
  private void makeRest(IReceptionistFactory receptionists, boolean isNew) throws IOException {
    String nodeId = service.getNodeId();
    parts.replicas = new ReplicaManager(this, getMetadataProperties().getNodePartitions(nodeId));
    parts.active =
        new ActiveManager(
            parts.threads,
            nodeId,
            getActiveProperties().getMemoryComponentGlobalBudget(),
            getCompilerProperties().getFrameSize(),
            service);
    parts.receptionist = receptionists.create();
    Path appDirectory = Path.of(String.valueOf(service.getServerCtx().getAppDir()));
    parts.libraries =
        new ExternalLibraryManager(
            (NodeControllerService) service.getControllerService(),
            service.getPersistedResourceRegistry(),
            parts.ioManager.resolveAbsolutePath(appDirectory.toAbsolutePath().toString()),
            parts.ioManager);
    parts.libraries.initialize(isNew);
    parts.rateLimiters = new DiskWriteRateLimiterProvider();
  }

  /** In the opposite of the order in which they are stopped. */
  private void registerAll() {
    ILifeCycleComponentManager components = service.getLifeCycleComponentManager();
    components.register(new EngineComponent(parts.loam));
    components.register((ILifeCycleComponent) parts.memory);
    components.register((ILifeCycleComponent) parts.bufferCache);
    components.register((ILifeCycleComponent) parts.transactions.getLogManager());
    components.register((ILifeCycleComponent) parts.transactions.getRecoveryManager());
    components.register(parts.datasets);
    components.register((ILifeCycleComponent) parts.transactions.getTransactionManager());
    components.register((ILifeCycleComponent) parts.transactions.getLockManager());
    components.register(parts.transactions.getCheckpointManager());
    components.register(parts.libraries);
  }

  @Override
  public void initializeMetadata(boolean newUniverse, int partition) throws Exception {
    super.initializeMetadata(newUniverse, partition);
    MergePolicies.register();
  }

  // ---- End.

  @Override
  public synchronized void preStop() throws Exception {
    parts.active.shutdown();
    unexportMetadataNodeStub();
  }

  // ---- The parts.

  @Override
  public IBufferCache getBufferCache() {
    return parts.bufferCache;
  }

  @Override
  public IVirtualBufferCache getVirtualBufferCache() {
    return parts.memory;
  }

  @Override
  public ITransactionSubsystem getTransactionSubsystem() {
    return parts.transactions;
  }

  @Override
  public IDatasetLifecycleManager getDatasetLifecycleManager() {
    return parts.datasets;
  }

  @Override
  public ILSMIOOperationScheduler getLSMIOScheduler() {
    return parts.scheduler;
  }

  @Override
  public ILocalResourceRepository getLocalResourceRepository() {
    return parts.resources;
  }

  @Override
  public IIOManager getIoManager() {
    return parts.ioManager;
  }

  @Override
  public ExecutorService getThreadExecutor() {
    return parts.threads;
  }

  @Override
  public ILSMMergePolicyFactory getMetadataMergePolicyFactory() {
    return parts.metadataMergePolicy;
  }

  @Override
  public ActiveManager getActiveManager() {
    return parts.active;
  }

  @Override
  public ILibraryManager getLibraryManager() {
    return parts.libraries;
  }

  @Override
  public IReplicaManager getReplicaManager() {
    return parts.replicas;
  }

  @Override
  public IIndexCheckpointManagerProvider getIndexCheckpointManagerProvider() {
    return parts.checkpoints;
  }

  @Override
  public IReceptionist getReceptionist() {
    return parts.receptionist;
  }

  @Override
  public IConfigValidator getConfigValidator() {
    return parts.configValidator;
  }

  @Override
  public IDiskWriteRateLimiterProvider getDiskWriteRateLimiterProvider() {
    return parts.rateLimiters;
  }

  @Override
  public long getMaxTxnId() {
    long committed = parts.transactions.getTransactionManager().getMaxTxnId();
    return MetadataManager.INSTANCE == null
        ? committed
        : Math.max(committed, MetadataManager.INSTANCE.getMaxTxnId());
  }
}
