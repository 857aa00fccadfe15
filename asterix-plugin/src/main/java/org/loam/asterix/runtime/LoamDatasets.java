package org.loam.asterix.runtime;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.asterix.common.config.StorageProperties;
import org.apache.asterix.common.context.DatasetLifecycleManager;
import org.apache.asterix.common.storage.IIndexCheckpointManagerProvider;
import org.apache.asterix.common.transactions.ILogManager;
import org.apache.hyracks.api.application.INCServiceContext;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.lsm.btree.impls.LSMBTree;
import org.apache.hyracks.storage.am.lsm.common.api.IVirtualBufferCache;
import org.apache.hyracks.storage.common.IIndex;
import org.apache.hyracks.storage.common.LocalResource;
import org.loam.asterix.index.LoamIndex;

/**
 * The open indexes of a node. When an index is created, AsterixDB makes its own B+-tree before it
 * describes the index, and then registers that B+-tree. This class registers the index that the
 * description names instead.
 */
final class LoamDatasets extends DatasetLifecycleManager {
  private final INCServiceContext service;
  private final LoamResources resources;

  LoamDatasets(
      INCServiceContext service,
      StorageProperties properties,
      LoamResources resources,
      ILogManager log,
      IVirtualBufferCache memory,
      IIndexCheckpointManagerProvider checkpoints) {
    super(
        properties,
        resources,
        log,
        memory,
        checkpoints,
        service.getIoManager().getIODevices().size());
    this.service = service;
    this.resources = resources;
  }

  /**
   * Begins the flushes of all datasets before it closes one after the other, which waits for the
   * flush of each: Loam puts small flushes together.
   */
  @Override
  public synchronized void stop(boolean dumpState, OutputStream out) throws IOException {
    asyncFlushMatchingIndexes(index -> true);
    super.stop(dumpState, out);
  }

  @Override
  public synchronized void register(String path, IIndex index) throws HyracksDataException {
    super.register(path, index instanceof LSMBTree ? described(path, index) : index);
  }

  private IIndex described(String path, IIndex index) throws HyracksDataException {
    LocalResource resource = resources.get(path);
    IIndex described = resource == null ? index : resource.getResource().createInstance(service);
    return described instanceof LoamIndex ? described : index;
  }
}
