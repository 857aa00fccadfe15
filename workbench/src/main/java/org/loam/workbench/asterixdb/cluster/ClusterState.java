package org.loam.workbench.asterixdb.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * What the cluster controller believes. It notices the death of a node late, so {@code ACTIVE} is
 * no proof that a process is there.
 *
 * @param cluster {@code ACTIVE} if the controller takes statements for all data
 * @param nodes the state of each node controller that it knows
 */
record ClusterState(String cluster, Map<Node, String> nodes) {
  static final String ACTIVE = "ACTIVE";

  /** Reads what {@code /admin/cluster} says. */
  static ClusterState of(JsonNode answer) {
    Map<Node, String> nodes = new EnumMap<>(Node.class);
    for (Node node : Node.CONTROLLERS) {
      for (JsonNode known : answer.path("ncs")) {
        if (known.path("node_id").asText().equals(node.id())) {
          nodes.put(node, known.path("state").asText());
        }
      }
    }
    return new ClusterState(answer.path("state").asText(), nodes);
  }

  /**
   * Whether it believes that everything is there.
   *
   * @param wanted its node controllers
   */
  boolean isActive(Set<Node> wanted) {
    return cluster.equals(ACTIVE)
        && wanted.stream().allMatch(node -> ACTIVE.equals(nodes.get(node)));
  }
}
