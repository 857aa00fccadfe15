package org.loam.workbench.bench.asterixdb;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.loam.workbench.asterixdb.cluster.AsterixCluster;
import org.loam.workbench.asterixdb.cluster.Node;
import org.loam.workbench.asterixdb.cluster.StatementClient;
import org.loam.workbench.bench.WrongAnswerException;
import org.loam.workbench.console.CommandException;

/**
 * Stops of the nodes of a cluster that has many datasets with a few new records each: a node
 * flushes all of them before it ends.
 */
final class NodeStops {
  private static final int RECORDS = 8;

  private final AsterixCluster cluster;
  private final int datasets;

  NodeStops(AsterixCluster cluster, int datasets) {
    this.cluster = cluster;
    this.datasets = datasets;
  }

  /** Makes the datasets and their records. */
  void prepare() throws InterruptedException {
    StatementClient client = cluster.client();
    client.rows("CREATE DATAVERSE stops; USE stops; CREATE TYPE Entry AS { id: bigint };");
    String records =
        IntStream.range(0, RECORDS)
            .mapToObj(id -> "{\"id\": " + id + "}")
            .collect(Collectors.joining(", ", "[", "]"));
    for (int number = 0; number < datasets; number++) {
      client.rows(
          String.format(
              Locale.ROOT,
              "USE stops; CREATE DATASET d%1$d(Entry) PRIMARY KEY id; INSERT INTO d%1$d (%2$s);",
              number,
              records));
    }
  }

  /** Stops all nodes but the cluster controller, one after the other, the first of them at last. */
  QueryClients.Result stop() throws InterruptedException {
    List<Long> nanos = new ArrayList<>();
    for (Node node : List.of(Node.NC2, Node.NC1)) {
      long startNanos = System.nanoTime();
      if (!cluster.stop(node)) {
        throw CommandException.failed(node.id() + " does not stop");
      }
      nanos.add(System.nanoTime() - startNanos);
    }
    nanos.sort(null);
    long all = nanos.stream().mapToLong(Long::longValue).sum();
    return new QueryClients.Result(nanos.size(), nanos.size() * 1e9 / all, nanos);
  }

  /** Looks for the records in a cluster that was started again. */
  void check() throws InterruptedException {
    StatementClient client = cluster.client();
    for (int number = 0; number < datasets; number++) {
      String count = "SELECT VALUE COUNT(*) FROM stops.d" + number + ";";
      if (client.rows(count).get(0).intValue() != RECORDS) {
        throw new WrongAnswerException(count + " does not show " + RECORDS);
      }
    }
  }
}
