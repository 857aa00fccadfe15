package org.loam.asterix.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.asterix.common.dataflow.DatasetLocalResource;
import org.apache.asterix.common.metadata.MetadataIndexImmutableProperties;
import org.apache.asterix.common.storage.IIndexCheckpointManagerProvider;
import org.apache.asterix.common.storage.ResourceReference;
import org.apache.asterix.transaction.management.resource.PersistentLocalResourceRepository;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.IIOManager;
import org.apache.hyracks.api.io.IPersistedResourceRegistry;
import org.apache.hyracks.storage.common.LocalResource;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.loam.asterix.node.LoamNode;
import org.loam.engine.Engine;

/**
 * The descriptions of a node's indexes. If AsterixDB would put a new index into a B+-tree of its
 * own, this class keeps a description that names Loam instead. It does not do so if the dataset has
 * a filter, which Loam does not know, or the correlated merge policy, which needs disk components.
 */
final class LoamResources extends PersistentLocalResourceRepository {
  private static final Logger LOG = LogManager.getLogger();
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

  /**
   * The description with Loam in place of AsterixDB's B+-tree; unchanged if Loam cannot serve it.
   */
  private LocalResource describe(LocalResource resource) throws HyracksDataException {
    JsonNode json = json(resource);
    JsonNode index = json.path("resource").path("resource");
    if (!canBeServed(index)) {
      return resource;
    }
    ((ObjectNode) index)
        .put(IPersistedResourceRegistry.TYPE_FIELD_ID, LoamIndexResource.KIND)
        .put(IPersistedResourceRegistry.CLASS_FIELD_ID, LoamIndexResource.class.getName());
    ((LoamIndexResource) registry.deserialize(index)).warnOfMergePolicy(LOG);
    return (LocalResource) registry.deserialize(json);
  }

  /** Whether AsterixDB would put the index into its own B+-tree, and Loam can take it instead. */
  static boolean canBeServed(JsonNode index) {
    return isOfKind(index, STOCK_KIND)
        && !index.hasNonNull("filterFields")
        && !index.path("mergePolicyFactory").toString().contains(CORRELATED);
  }

  /**
   * Refuses data that another storage wrote, or that Loam wrote elsewhere.
   *
   * @param database directory of Loam's database, whether there is one or not
   * @throws StartException saying what to do
   */
  void requireServed(Path database) throws HyracksDataException {
    List<String> stock = new ArrayList<>();
    for (LocalResource resource : loadAndGetAllResources().values()) {
      JsonNode index = json(resource).path("resource").path("resource");
      if (isServed(resource) && canBeServed(index)) {
        stock.add(resource.getPath());
      } else if (isOfKind(index, LoamIndexResource.KIND) && !Engine.exists(database)) {
        throw new StartException(
            "index "
                + resource.getPath()
                + " is in Loam, but there is no database in "
                + database
                + "; it is below the first of the iodevices: bring it back, or their order");
      }
    }
    if (!stock.isEmpty()) {
      throw new StartException(refusal(stock));
    }
  }

  private static String refusal(List<String> stock) {
    boolean isMetadata = stock.stream().allMatch(path -> path.contains("/Metadata/"));
    return stock.size()
        + (stock.size() == 1 ? " index is" : " indexes are")
        + " in AsterixDB's own storage, such as "
        + stock.get(0)
        + ", and Loam does not take them over; "
        + (isMetadata ? "set loam.metadata=false to leave AsterixDB's own datasets there, " : "")
        + "start the node with that storage ([nc]"
        + " app.class=org.apache.asterix.hyracks.bootstrap.NCApplication), or with empty iodevices"
        + " and txn.log.dir, and load the data anew";
  }

  /**
   * What to say of datasets that have one identifier. AsterixDB gives an identifier away twice when
   * its first two statements that create a dataset run at once; Loam's cluster controller prevents
   * it, but not for datasets that are there already.
   */
  List<String> sharedIdentifiers() throws HyracksDataException {
    SortedMap<Integer, SortedSet<String>> datasets = new TreeMap<>();
    for (LocalResource resource : loadAndGetAllResources().values()) {
      if (resource.getResource() instanceof DatasetLocalResource dataset) {
        ResourceReference place = ResourceReference.ofIndex(resource.getPath());
        datasets
            .computeIfAbsent(dataset.getDatasetId(), id -> new TreeSet<>())
            .add(place.getDataverse().getCanonicalForm() + "." + place.getDataset());
      }
    }
    List<String> shared = new ArrayList<>();
    datasets.forEach(
        (id, names) -> {
          if (names.size() > 1) {
            shared.add(
                "datasets "
                    + String.join(" and ", names)
                    + " have one identifier, "
                    + id
                    + ": AsterixDB takes them for one, and may not flush or lock them as it"
                    + " should; copy all of them but one into new datasets, and drop these");
          }
        });
    return shared;
  }

  /** Tells Loam how each dataset wants its trees merged, also those of indexes not in use. */
  void describeMerges(LoamNode loam) throws HyracksDataException {
    for (LocalResource resource : loadAndGetAllResources().values()) {
      JsonNode index = json(resource).path("resource").path("resource");
      if (isOfKind(index, LoamIndexResource.KIND)) {
        LoamIndexResource described = (LoamIndexResource) registry.deserialize(index);
        loam.trees().setMergeOptions(resource.getPath(), described.mergeOptions());
      }
    }
  }

  /** The result of toJson still has arrays in it, so it is written and read again. */
  private JsonNode json(LocalResource resource) throws HyracksDataException {
    try {
      return JSON.readTree(JSON.writeValueAsBytes(resource.toJson(registry)));
    } catch (IOException e) {
      throw HyracksDataException.create(e);
    }
  }

  private static boolean isOfKind(JsonNode index, String kind) {
    return index.path(IPersistedResourceRegistry.TYPE_FIELD_ID).asText().equals(kind);
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
