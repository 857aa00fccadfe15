package org.loam.asterix.runtime;

import org.apache.asterix.common.context.IStorageComponentProvider;
import org.apache.asterix.common.dataflow.ICcApplicationContext;
import org.apache.asterix.hyracks.bootstrap.GlobalRecoveryManager;
import org.apache.asterix.metadata.MetadataManager;
import org.apache.asterix.metadata.MetadataTransactionContext;
import org.apache.asterix.transaction.management.service.transaction.DatasetIdFactory;
import org.apache.hyracks.api.application.ICCServiceContext;
import org.apache.hyracks.api.client.IHyracksClientConnection;

/**
 * What a cluster controller does before a cluster takes statements, and one thing more: it asks the
 * metadata for the last identifier of a dataset. AsterixDB asks in the first statement that creates
 * a dataset. Two such statements at once both ask, and both datasets then get the same identifier;
 * the nodes take them for one dataset.
 */
public final class LoamGlobalRecovery extends GlobalRecoveryManager {
  /** As AsterixDB's own. */
  public LoamGlobalRecovery(
      ICCServiceContext service,
      IHyracksClientConnection connection,
      IStorageComponentProvider components) {
    super(service, connection, components);
  }

  @Override
  protected MetadataTransactionContext doRecovery(
      ICcApplicationContext context, MetadataTransactionContext transaction) throws Exception {
    // Only once: a statement may have taken an identifier that the metadata does not have yet.
    if (!DatasetIdFactory.isInitialized()) {
      // The metadata node counted when it started, which may be long before this controller did.
      MetadataManager.INSTANCE.initializeDatasetIdFactory(transaction);
      DatasetIdFactory.initialize(MetadataManager.INSTANCE.getMostRecentDatasetId());
    }
    return super.doRecovery(context, transaction);
  }
}
