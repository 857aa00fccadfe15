package org.loam.asterix.suite;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.apache.asterix.common.api.INcApplicationContext;
import org.apache.asterix.common.dataflow.DatasetLocalResource;
import org.apache.asterix.common.metadata.MetadataIndexImmutableProperties;
import org.apache.asterix.transaction.management.resource.PersistentLocalResourceRepository;
import org.apache.hyracks.api.io.IPersistedResourceRegistry;
import org.apache.hyracks.control.nc.NodeControllerService;
import org.apache.hyracks.storage.common.LocalResource;
import org.loam.asterix.runtime.LoamRuntimeContext;
import org.loam.engine.EngineStatistics.TreeStatistics;

/**
 * Which storage keeps the indexes of the datasets that a case makes, as the nodes' descriptions of
 * them and the statistics of Loam's engines say. Looked at after each step of a case.
 */
final class ServedIndexes {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Paths of indexes with a tree of Loam's. */
  private final Set<String> trees = new HashSet<>();

  /** Those of them whose tree had entries at some time. */
  private final Set<String> filled = new HashSet<>();

  /** Paths of B+-trees of AsterixDB's that should be Loam's. */
  private final Set<String> missed = new TreeSet<>();

  private final boolean onLoam;

  /**
   * @param onLoam whether the nodes are to have Loam; else there is nothing to see
   */
  ServedIndexes(boolean onLoam) {
    this.onLoam = onLoam;
  }

  void look(NodeControllerService[] nodes) throws IOException {
    for (NodeControllerService node : nodes) {
      if (onLoam) {
        look(node, (LoamRuntimeContext) node.getApplicationContext());
      }
    }
  }

  private void look(NodeControllerService node, LoamRuntimeContext context) throws IOException {
    Set<String> described = new HashSet<>();
    PersistentLocalResourceRepository resources =
        (PersistentLocalResourceRepository)
            ((INcApplicationContext) context).getLocalResourceRepository();
    for (LocalResource resource : resources.loadAndGetAllResources().values()) {
      if (resource.getResource() instanceof DatasetLocalResource dataset
          && !MetadataIndexImmutableProperties.isMetadataDataset(dataset.getDatasetId())) {
        JsonNode index =
            JSON.readTree(
                    JSON.writeValueAsBytes(
                        resource.toJson(node.getContext().getPersistedResourceRegistry())))
                .path("resource")
                .path("resource");
        String kind = index.path(IPersistedResourceRegistry.TYPE_FIELD_ID).asText();
        String path = node.getId() + "/" + resource.getPath();
        if (kind.equals("LoamIndexResource")) {
          described.add(resource.getPath());
        } else if (kind.equals("LSMBTreeLocalResource") && !isStock(index)) {
          missed.add(path);
        }
      }
    }
    for (TreeStatistics tree : context.loam().statistics().trees()) {
      if (described.contains(tree.name())) {
        trees.add(node.getId() + "/" + tree.name());
        if (tree.memoryBytes() > 0 || !tree.levels().isEmpty()) {
          filled.add(node.getId() + "/" + tree.name());
        }
      }
    }
  }

  /** Whether the index is one that Loam leaves to AsterixDB (adr/0021). */
  private static boolean isStock(JsonNode index) {
    return index.hasNonNull("filterFields")
        || index.path("mergePolicyFactory").toString().contains("Correlated");
  }

  int trees() {
    return trees.size();
  }

  int filled() {
    return filled.size();
  }

  Set<String> missed() {
    return missed;
  }
}
