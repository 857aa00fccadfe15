package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.loam.workbench.console.Json;

class ClusterStateTest {
  private static ClusterState state(String cluster, String... nodes) {
    StringBuilder ncs = new StringBuilder();
    for (int i = 0; i < nodes.length; i++) {
      ncs.append(i == 0 ? "" : ",")
          .append("{\"node_id\":\"nc" + (i + 1) + "\",\"state\":\"" + nodes[i] + "\"}");
    }
    String answer = "{\"config\":{},\"ncs\":[" + ncs + "],\"state\":\"" + cluster + "\"}";
    return ClusterState.of(Json.read(answer, JsonNode.class));
  }

  @Test
  void itIsActiveIfTheClusterAndAllOfItsNodesAre() {
    assertThat(state("ACTIVE", "ACTIVE", "ACTIVE").isActive(Node.CONTROLLERS)).isTrue();
    assertThat(state("UNUSABLE", "ACTIVE", "ACTIVE").isActive(Node.CONTROLLERS)).isFalse();
    assertThat(state("ACTIVE", "ACTIVE", "INACTIVE").isActive(Node.CONTROLLERS)).isFalse();
    assertThat(state("ACTIVE", "ACTIVE").isActive(Node.CONTROLLERS)).isFalse();
    assertThat(state("ACTIVE", "ACTIVE").isActive(Set.of(Node.NC1))).isTrue();
    assertThat(ClusterState.of(Json.read("{}", JsonNode.class)).isActive(Node.CONTROLLERS))
        .isFalse();
    assertThat(state("ACTIVE", "ACTIVE", "INACTIVE").nodes())
        .isEqualTo(Map.of(Node.NC1, "ACTIVE", Node.NC2, "INACTIVE"));
  }

  @Test
  void theStatusShowsWhatIsKnownAndADashForTheRest() {
    ClusterStatus status =
        new ClusterStatus(
            "0.9.8",
            "/srv/cluster",
            "http://127.0.0.1:19002/query/service",
            "stock",
            "UNUSABLE",
            List.of(
                new NodeStatus("cc", "ACTIVE", 1234L, 361_234_432L),
                new NodeStatus("nc1", "ACTIVE", 1_234_567L, null),
                new NodeStatus("nc2", "DEAD", null, null)));
    assertThat(status.isActive()).isFalse();
    assertThat(status.text())
        .isEqualTo(
            """
            AsterixDB 0.9.8 in /srv/cluster, stock storage: UNUSABLE
            queries: http://127.0.0.1:19002/query/service
            node  state       process     memory
            cc    ACTIVE         1234  344.5 MiB
            nc1   ACTIVE      1234567          -
            nc2   DEAD              -          -
            """);
    assertThat(Json.document(status)).contains("\"processId\" : null");
  }
}
