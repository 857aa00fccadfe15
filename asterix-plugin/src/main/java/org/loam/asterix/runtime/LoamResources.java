package org.loam.asterix.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.asterix.common.dataflow.DatasetLocalResource;
import org.apache.asterix.common.metadata.MetadataIndexImmutableProperties;
import org.apache.asterix.common.storage.IIndexCheckpointManagerProvider;
import org.apache.asterix.transaction.management.resource.PersistentLocalResourceRepository;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.IIOManager;
import org.apache.hyracks.api.io.IPersistedResourceRegistry;
import org.apache.hyracks.storage.common.LocalResource;

/**
 * The descriptions of a node's indexes. Of a new index that AsterixDB would have in a B+-tree of
 * its own it keeps one that says Loam, unless the dataset has a filter, which Loam does not know,
 * or the correlated merge policy, which needs disk components.
 */
final class LoamResources extends PersistentLocalResourceRepository {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CORRELATED = "CorrelatedPrefixMergePolicy";
  private static final String STOCK_KIND = "LSMBTreeLocalResource";

  private final IPersistedResourceRegistry registry;
  private final boolean withMetadata;

  /**
   * @param withMetadata whether the indexes of AsterixDB's own datasets are Loam's, too
   */
  LoamResources(
      IIOManager ioManager,
      IIndexCheckpointManagerProvider checkpoints,
      IPersistedResourceRegistry registry,
      boolean withMetadata) {
    super(ioManager, checkpoints, registry);
    this.registry = registry;
    this.withMetadata = withMetadata;
  }

  @Override
  public void insert(LocalResource resource) throws HyracksDataException {
    super.insert(isServed(resource) ? describe(resource) : resource);
  }

  private boolean isServed(LocalResource resource) {
    return resource.getResource() instanceof DatasetLocalResource dataset
        && (withMetadata
            || !MetadataIndexImmutableProperties.isMetadataDataset(dataset.getDatasetId()));
  }

  /** The description with Loam in place of AsterixDB's B+-tree; if it has none, as it was. */
  private LocalResource describe(LocalResource resource) throws HyracksDataException {
    try {
      // Written and read, because what toJson gives still has arrays in it.
      JsonNode json = JSON.readTree(JSON.writeValueAsBytes(resource.toJson(registry)));
      JsonNode index = json.path("resource").path("resource");
      if (!index.path(IPersistedResourceRegistry.TYPE_FIELD_ID).asText().equals(STOCK_KIND)
          || index.hasNonNull("filterFields")
          || index.path("mergePolicyFactory").toString().contains(CORRELATED)) {
        return resource;
      }
      ((ObjectNode) index)
          .put(IPersistedResourceRegistry.TYPE_FIELD_ID, LoamIndexResource.KIND)
          .put(IPersistedResourceRegistry.CLASS_FIELD_ID, LoamIndexResource.class.getName());
      return (LocalResource) registry.deserialize(json);
    } catch (IOException e) {
      throw HyracksDataException.create(e);
    }
  }

  /** The paths of all indexes on the node. */
  List<String> paths() throws HyracksDataException {
    List<String> paths = new ArrayList<>();
    for (LocalResource resource : loadAndGetAllResources().values()) {
      paths.add(resource.getPath());
    }
    return paths;
  }
}
