package org.loam.workbench.asterixdb.crash;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.loam.workbench.asterixdb.cluster.AsterixCluster;
import org.loam.workbench.asterixdb.cluster.ClusterSettings;
import org.loam.workbench.asterixdb.cluster.Node;
import org.loam.workbench.asterixdb.cluster.StatementException;
import org.loam.workbench.console.CommandException;

/** A cluster of processes that is crashed by killing them. */
final class CrashableCluster implements CrashTarget {
  private static final int LEAST_WORK_MILLIS = 500;
  private static final int MOST_WORK_MILLIS = 4000;

  /** A node is up, and recovers, this long after it was started. */
  private static final int LEAST_RECOVERY_MILLIS = 1000;

  private static final int MOST_RECOVERY_MILLIS = 6000;

  private final AsterixCluster cluster;
  private final ClusterSettings settings;

  CrashableCluster(AsterixCluster cluster, ClusterSettings settings) {
    this.cluster = cluster;
    this.settings = settings;
  }

  @Override
  public List<JsonNode> run(String statement) throws UnacknowledgedException, InterruptedException {
    try {
      return cluster.rows(statement);
    } catch (StatementException | CommandException e) {
      throw new UnacknowledgedException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public List<String> nodes() {
    return Node.CONTROLLERS.stream().map(Node::id).toList();
  }

  @Override
  public void letWork(RandomGenerator random) throws InterruptedException {
    Thread.sleep(random.nextInt(LEAST_WORK_MILLIS, MOST_WORK_MILLIS));
  }

  @Override
  public void kill(Set<String> nodes) throws InterruptedException {
    for (Node node : Node.CONTROLLERS) {
      if (nodes.contains(node.id())) {
        cluster.kill(node);
      }
    }
  }

  @Override
  public void start() throws InterruptedException {
    cluster.startAgain(settings);
  }

  @Override
  public boolean crashInRecovery(RandomGenerator random) throws InterruptedException {
    AtomicBoolean crashed = new AtomicBoolean();
    Thread starting = new Thread(() -> crashed.set(!startUnlessInterrupted()), "start nodes");
    starting.start();
    starting.join(random.nextInt(LEAST_RECOVERY_MILLIS, MOST_RECOVERY_MILLIS));
    // A thread that is interrupted while it starts nodes ends them by force.
    starting.interrupt();
    starting.join();
    return crashed.get();
  }

  private boolean startUnlessInterrupted() {
    try {
      start();
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  /**
   * Makes sure that all of this was about Loam.
   *
   * @throws CommandException if a node has no index of the dataset in Loam
   */
  void requireLoam() throws InterruptedException {
    for (Node node : Node.CONTROLLERS) {
      String trees =
          cluster.loamStatistics(node).map(found -> found.path("trees").toString()).orElse("");
      for (String index : List.of("records", "keys", "byPart", "byName")) {
        if (!trees.contains("/crashes/records/0/" + index + "\"")) {
          throw CommandException.failed("on " + node.id() + " index " + index + " is not in Loam");
        }
      }
    }
  }
}
