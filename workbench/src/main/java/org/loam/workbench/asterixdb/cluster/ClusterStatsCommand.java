package org.loam.workbench.asterixdb.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.ReportOptions;
import org.loam.workbench.database.EngineText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code loam asterixdb stats}: what Loam holds on the nodes of a cluster and has done there. */
@Command(
    name = "stats",
    description = {
      "Shows what Loam holds on each node controller of the running cluster, and what"
          + " it has done since the node started: memory by use, flushes, merges, cache, and"
          + " stalls of writers by cause. For each index of each dataset it shows what is in"
          + " write memory and on disk, by level. AsterixDB's own datasets are one row. What"
          + " keeps a node from its work, such as a full disk, is a line of its own.",
      "",
      "Counts of entries include all versions and anti-matter. The exit code is 0"
          + " only if all nodes have answered."
    },
    footer = {
      "  loam asterixdb stats",
      "  loam asterixdb stats --json --directory /var/tmp/second"
    })
public final class ClusterStatsCommand implements Callable<Integer> {
  @Mixin private ReportOptions options = new ReportOptions();

  @Mixin private ClusterDirectory directory = new ClusterDirectory();

  @Override
  public Integer call() throws InterruptedException {
    AsterixCluster cluster = directory.cluster();
    if (!cluster.isRunning()) {
      throw CommandException.environment(
          "no cluster runs in "
              + cluster.directory()
              + "; start it with: loam asterixdb"
              + directory.option());
    }
    Storage storage = cluster.settings().orElse(ClusterSettings.DEFAULT).storage();
    if (storage == Storage.STOCK) {
      throw CommandException.usage(
          "the cluster in "
              + cluster.directory()
              + " has stock storage, which Loam knows nothing of; choose --storage loam before its"
              + " first start");
    }
    Map<String, @Nullable JsonNode> answers = new LinkedHashMap<>();
    for (Node node : Node.CONTROLLERS) {
      answers.put(node.id(), cluster.loamStatistics(node).orElse(null));
    }
    options.print(answers, () -> text(answers));
    return complain(cluster, answers) ? ExitCode.FAILED : ExitCode.OK;
  }

  private static String text(Map<String, @Nullable JsonNode> answers) {
    List<String> nodes = new ArrayList<>();
    for (Node node : Node.CONTROLLERS) {
      JsonNode answer = answers.get(node.id());
      if (answer != null) {
        nodes.add(
            NodeText.of(node, NodeText.read(node, answer))
                + EngineText.faults(answer.path("health")));
      }
    }
    return String.join(System.lineSeparator(), nodes);
  }

  /** Names each node that has not answered; returns whether there is one. */
  private boolean complain(AsterixCluster cluster, Map<String, @Nullable JsonNode> answers)
      throws InterruptedException {
    boolean complained = false;
    for (NodeStatus status : cluster.status().nodes()) {
      if (answers.containsKey(status.node()) && answers.get(status.node()) == null) {
        complained = true;
        Progress.say(
            "node "
                + status.node()
                + " does not answer, its state is "
                + status.state()
                + "; a dead one is started again with: loam asterixdb"
                + directory.option());
      }
    }
    return complained;
  }
}
