package org.loam.workbench.asterixdb.differential;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.loam.workbench.asterixdb.cluster.Artifacts;
import org.loam.workbench.asterixdb.cluster.AsterixCluster;
import org.loam.workbench.asterixdb.cluster.ClusterSettings;
import org.loam.workbench.asterixdb.cluster.Ports;
import org.loam.workbench.asterixdb.cluster.Storage;
import org.loam.workbench.console.CommandException;

/** Two clusters that run beside each other, below one directory. */
final class ClusterPair implements AutoCloseable {
  private static final long HEAP_BYTES = 256L << 20;

  private static final int PARTITIONS = 2;

  private final List<AsterixCluster> clusters;
  private final List<ClusterSettings> settings;

  private ClusterPair(Path directory, int nodes, Storage first, Storage second) {
    Artifacts artifacts = Artifacts.ofThisClone();
    ClusterSettings one = Ports.findFree(HEAP_BYTES, first);
    ClusterSettings other = Ports.findFreeBehind(one, second);
    // As many partitions in each case.
    int devices = PARTITIONS / nodes;
    this.settings =
        List.of(
            one.withNodes(nodes).withDevices(devices).briefly(),
            other.withNodes(nodes).withDevices(devices).briefly());
    // Nodes end here because they are killed: what they say then is of no use.
    this.clusters =
        List.of(
            new AsterixCluster(directory.resolve("first"), artifacts, lastWords -> {}),
            new AsterixCluster(directory.resolve("second"), artifacts, lastWords -> {}));
  }

  /**
   * Starts both.
   *
   * @param nodes of each, 1 or 2
   * @throws CommandException if one does not start
   */
  static ClusterPair start(Path directory, int nodes, Storage first, Storage second)
      throws InterruptedException {
    ClusterPair pair = new ClusterPair(directory, nodes, first, second);
    boolean started = false;
    try {
      pair.startBoth();
      started = true;
      return pair;
    } finally {
      if (!started) {
        pair.close();
      }
    }
  }

  private void startBoth() throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(clusters.size());
    try {
      List<Future<?>> starts = new ArrayList<>();
      for (int i = 0; i < clusters.size(); i++) {
        AsterixCluster cluster = clusters.get(i);
        ClusterSettings own = settings.get(i);
        starts.add(threads.submit(() -> cluster.start(own)));
      }
      for (Future<?> start : starts) {
        start.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CommandException fault) {
        throw fault;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  /** One of them. */
  ClusterTarget target(int index) {
    return new ClusterTarget(name(index), clusters.get(index), settings.get(index));
  }

  private String name(int index) {
    String name = settings.get(index).storage().name().toLowerCase(Locale.ROOT);
    return settings.get(0).storage() == settings.get(1).storage() ? name + (index + 1) : name;
  }

  /** Ends all nodes; their files stay. */
  @Override
  public void close() throws InterruptedException {
    for (AsterixCluster cluster : clusters) {
      cluster.killAll();
    }
  }
}
