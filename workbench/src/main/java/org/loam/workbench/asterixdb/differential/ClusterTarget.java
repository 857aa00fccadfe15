package org.loam.workbench.asterixdb.differential;

import java.util.List;
import org.loam.workbench.asterixdb.cluster.AsterixCluster;
import org.loam.workbench.asterixdb.cluster.ClusterSettings;
import org.loam.workbench.asterixdb.cluster.Node;
import org.loam.workbench.asterixdb.cluster.StatementClient;
import org.loam.workbench.asterixdb.cluster.StatementException;
import org.loam.workbench.asterixdb.cluster.Storage;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.WorkDirectory;

/** A cluster of processes. */
final class ClusterTarget implements DifferentialTarget {
  private final String name;
  private final AsterixCluster cluster;
  private final ClusterSettings settings;
  private final StatementClient client;

  /** A cluster that runs. */
  ClusterTarget(String name, AsterixCluster cluster, ClusterSettings settings) {
    this.name = name;
    this.cluster = cluster;
    this.settings = settings;
    this.client = cluster.client();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Outcome run(Statement statement) throws InterruptedException {
    try {
      return switch (statement.kind()) {
        case FLUSH -> {
          client.flush(Statement.DATAVERSE, statement.text());
          yield Outcome.of(List.of(), true);
        }
        case RESTART -> {
          cluster.stop();
          revive();
          yield Outcome.of(List.of(), true);
        }
        case KILL -> {
          List<Node> nodes = List.copyOf(settings.controllers());
          cluster.kill(nodes.get(statement.number() % nodes.size()));
          revive();
          yield Outcome.of(List.of(), true);
        }
        case RESET -> {
          String dataverse = Statement.DATAVERSE;
          client.texts("DROP DATAVERSE " + dataverse + " IF EXISTS;");
          client.texts("CREATE DATAVERSE " + dataverse + ";");
          yield Outcome.of(List.of(), true);
        }
        default -> Outcome.of(client.losslessTexts(script(statement)), statement.ordered());
      };
    } catch (StatementException e) {
      String message = String.valueOf(e.getMessage());
      return isWhole() ? Outcome.refused(e.code(), message) : ended(message);
    } catch (CommandException e) {
      return ended(String.valueOf(e.getMessage()));
    }
  }

  private static Outcome ended(String message) {
    return new Outcome(List.of(), Outcome.ENDED, message);
  }

  private boolean isWhole() {
    for (Node node : settings.processes()) {
      if (!cluster.isRunning(node)) {
        return false;
      }
    }
    return true;
  }

  private static String script(Statement statement) {
    return "USE " + Statement.DATAVERSE + "; " + statement.text();
  }

  @Override
  public void revive() throws InterruptedException {
    cluster.startAgain(settings);
  }

  @Override
  public void renew() throws InterruptedException {
    cluster.killAll();
    WorkDirectory.delete(cluster.directory());
    cluster.start(settings);
  }

  /**
   * Makes sure that all of this was about Loam, if it was to be.
   *
   * @throws CommandException if a node has no index of the dataverse in Loam
   */
  void requireLoam() throws InterruptedException {
    if (settings.storage() == Storage.STOCK) {
      return;
    }
    for (Node node : settings.controllers()) {
      boolean inUse =
          cluster
              .loamStatistics(node)
              .filter(
                  found -> found.path("trees").toString().contains("/" + Statement.DATAVERSE + "/"))
              .isPresent();
      if (!inUse) {
        throw CommandException.failed("on " + node.id() + " no index is in Loam");
      }
    }
  }
}
