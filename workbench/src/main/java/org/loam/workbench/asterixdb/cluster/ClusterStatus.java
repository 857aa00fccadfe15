package org.loam.workbench.asterixdb.cluster;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What is known of a cluster, as commands print it.
 *
 * @param version of AsterixDB
 * @param directory of the cluster
 * @param url of the query service
 * @param storage keeps the data
 * @param state {@code ACTIVE}, {@code STOPPED} if no process runs, else what the controller says
 * @param nodes all of them
 */
public record ClusterStatus(
    @JsonProperty("version") String version,
    @JsonProperty("directory") String directory,
    @JsonProperty("url") String url,
    @JsonProperty("storage") String storage,
    @JsonProperty("state") String state,
    @JsonProperty("nodes") List<NodeStatus> nodes) {
  /** Whether statements are answered. */
  @JsonIgnore
  public boolean isActive() {
    return state.equals(ClusterState.ACTIVE);
  }

  /** As lines for people. */
  public String text() {
    String head =
        "AsterixDB "
            + version
            + " in "
            + directory
            + ", "
            + storage
            + " storage: "
            + state
            + "\nqueries: "
            + url
            + "\n"
            + row("node", "state", "process", "memory");
    return head + nodes.stream().map(ClusterStatus::row).collect(Collectors.joining());
  }

  private static String row(NodeStatus node) {
    Long id = node.processId();
    Long bytes = node.residentBytes();
    return row(
        node.node(),
        node.state(),
        id == null ? "-" : id.toString(),
        bytes == null ? "-" : String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20)));
  }

  private static String row(String node, String state, String process, String memory) {
    return String.format(Locale.ROOT, "%-4s  %-10s  %7s  %9s\n", node, state, process, memory);
  }
}
