package org.loam.asterix.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.asterix.common.utils.StorageConstants;
import org.apache.hyracks.api.io.IPersistedResourceRegistry;
import org.apache.hyracks.storage.am.lsm.common.impls.ConcurrentMergePolicyFactory;
import org.apache.hyracks.storage.am.lsm.common.impls.NoMergePolicyFactory;
import org.junit.jupiter.api.Test;
import org.loam.engine.MergeOptions;

class MergePoliciesTest {
  private final PartitionedLevelingFactory policy = new PartitionedLevelingFactory();

  @Test
  void whatIsNotGivenIsTheDefault() {
    assertThat(policy.complete(Map.of()))
        .isEqualTo(
            Map.of(
                "size-ratio", "10", "min-merge-component-count", "4", "max-component-count", "16"));
    assertThat(policy.mergeOptions(policy.complete(Map.of("size-ratio", "4.0"))))
        .isEqualTo(new MergeOptions(4, 4, 16));
    assertThat(
            policy.mergeOptions(
                Map.of("min-merge-component-count", "2", "max-component-count", "9")))
        .isEqualTo(new MergeOptions(10, 2, 9));
  }

  @Test
  void whatIsNotAllowedIsNamed() {
    requireRefused(
        Map.of("num-components", "5"),
        "merge policy partitioned-leveling has no parameter 'num-components'; it has size-ratio"
            + " (2.0 to 100.0, without a fraction), min-merge-component-count (1 to 100),"
            + " max-component-count (2 to 200, above min-merge-component-count)");
    requireRefused(Map.of("size-ratio", "1.2"), "size-ratio that is 1.2, must be a whole number");
    requireRefused(Map.of("size-ratio", "101.0"), "size-ratio that is 101, must be in 2..100");
    requireRefused(
        Map.of("max-component-count", "12000000000"),
        "max-component-count that is 12000000000, must be a whole number");
    requireRefused(
        Map.of("max-component-count", "4"),
        "max-component-count that is 4, must be above min-merge-component-count, 4");
  }

  private void requireRefused(Map<String, String> given, String message) {
    assertThatThrownBy(() -> policy.complete(given))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("merge policy partitioned-leveling has ")
        .hasMessageContaining(message);
  }

  /** As AsterixDB does with what its metadata and its descriptions of indexes have. */
  @Test
  void eachIsMadeByItsClassNameAndReadFromADescription() throws Exception {
    Class<?>[] arguments = {IPersistedResourceRegistry.class, JsonNode.class};
    Set<String> names = new HashSet<>();
    for (LoamMergePolicyFactory each : MergePolicies.ALL) {
      assertThat(each.getClass().getConstructor().newInstance().getName())
          .isEqualTo(each.getName());
      assertThat(each.getClass().getMethod("fromJson", arguments).invoke(null, null, null))
          .hasSameClassAs(each);
      assertThat(names.add(each.getName())).as(each.getName()).isTrue();
      assertThat(MergePolicies.byName(each.getName())).isSameAs(each);
      assertThat(MergePolicies.options(each, each.complete(Map.of()))).isNotNull();
    }
    assertThat(MergePolicies.names()).isEqualTo("partitioned-leveling");
    assertThat(MergePolicies.byName("concurrent")).isNull();
  }

  @Test
  void asterixDbsDefaultIsNoChoice() {
    Map<String, String> properties = StorageConstants.DEFAULT_COMPACTION_POLICY_PROPERTIES;
    ConcurrentMergePolicyFactory concurrent = new ConcurrentMergePolicyFactory();
    assertThat(MergePolicies.isIgnored(concurrent, properties)).isFalse();
    assertThat(MergePolicies.isIgnored(concurrent, Map.of("size-ratio", "2.0"))).isTrue();
    assertThat(MergePolicies.isIgnored(new NoMergePolicyFactory(), Map.of())).isTrue();
    assertThat(MergePolicies.isIgnored(policy, Map.of())).isFalse();
    assertThat(List.of(concurrent, new NoMergePolicyFactory()))
        .allMatch(stock -> MergePolicies.options(stock, Map.of()) == null);
  }
}
