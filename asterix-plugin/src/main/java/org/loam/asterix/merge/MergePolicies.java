package org.loam.asterix.merge;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.asterix.common.utils.StorageConstants;
import org.apache.asterix.metadata.MetadataManager;
import org.apache.asterix.metadata.MetadataTransactionContext;
import org.apache.asterix.metadata.api.IMetadataManager;
import org.apache.asterix.metadata.entities.CompactionPolicy;
import org.apache.asterix.metadata.utils.MetadataConstants;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMMergePolicyFactory;
import org.jspecify.annotations.Nullable;
import org.loam.engine.MergeOptions;

/** Loam's merge policies. Stateless. */
public final class MergePolicies {
  /** All of them; one that is added here is known everywhere. */
  public static final List<LoamMergePolicyFactory> ALL = List.of(new PartitionedLevelingFactory());

  private MergePolicies() {}

  /** For people. */
  public static String names() {
    return ALL.stream().map(LoamMergePolicyFactory::getName).collect(Collectors.joining(", "));
  }

  /** The policy of a name; null if it is none of Loam's. */
  static @Nullable LoamMergePolicyFactory byName(@Nullable String name) {
    for (LoamMergePolicyFactory policy : ALL) {
      if (policy.getName().equals(name)) {
        return policy;
      }
    }
    return null;
  }

  /**
   * Makes the policies known to AsterixDB. To be called on the node that has the metadata, as soon
   * as the metadata can be written.
   */
  public static void register() throws Exception {
    IMetadataManager metadata = MetadataManager.INSTANCE;
    MetadataTransactionContext transaction = metadata.beginTransaction();
    try {
      for (LoamMergePolicyFactory policy : ALL) {
        CompactionPolicy known =
            metadata.getCompactionPolicy(
                transaction, MetadataConstants.METADATA_DATAVERSE_NAME, policy.getName());
        if (known == null) {
          metadata.addCompactionPolicy(
              transaction,
              new CompactionPolicy(
                  MetadataConstants.METADATA_DATAVERSE_NAME,
                  policy.getName(),
                  policy.getClass().getName()));
        }
      }
      metadata.commitTransaction(transaction);
    } catch (Exception e) {
      metadata.abortTransaction(transaction);
      throw e;
    }
  }

  /** How an index in Loam is merged; null if the settings decide. */
  public static @Nullable MergeOptions options(
      ILSMMergePolicyFactory policy, Map<String, String> properties) {
    return policy instanceof LoamMergePolicyFactory ours ? ours.mergeOptions(properties) : null;
  }

  /** Whether the dataset has a policy other than the default that Loam ignores. */
  public static boolean isIgnored(ILSMMergePolicyFactory policy, Map<String, String> properties) {
    boolean isDefault =
        policy.getName().equals(StorageConstants.DEFAULT_COMPACTION_POLICY_NAME)
            && properties.equals(StorageConstants.DEFAULT_COMPACTION_POLICY_PROPERTIES);
    return !isDefault && !(policy instanceof LoamMergePolicyFactory);
  }
}
