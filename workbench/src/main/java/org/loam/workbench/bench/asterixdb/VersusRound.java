package org.loam.workbench.bench.asterixdb;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.loam.workbench.asterixdb.cluster.AsterixCluster;
import org.loam.workbench.asterixdb.cluster.ClusterSettings;
import org.loam.workbench.asterixdb.cluster.Node;
import org.loam.workbench.asterixdb.cluster.Ports;
import org.loam.workbench.asterixdb.cluster.StatementClient;
import org.loam.workbench.asterixdb.cluster.Storage;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitHook;
import org.loam.workbench.console.Progress;
import org.loam.workbench.workload.Zipfian;

/** All workloads, once, in a new cluster that is killed at the end. */
final class VersusRound {
  static final int SKEWED_DATASETS = 8;

  private static final int WARMUP_RECORDS = 5000;
  private static final int INDEX_BUILDS = 5;
  private static final Duration REST_STEP = Duration.ofSeconds(1);
  private static final Duration REST_LIMIT = Duration.ofSeconds(60);

  /** Of one processor: with less, a node controller only sends its heartbeats. */
  private static final double REST_SHARE = 0.15;

  /**
   * What all rounds have in common.
   *
   * @param records of each workload
   * @param files with all of them, one for each node
   * @param senders sockets of the feed of one dataset
   * @param clients that ask queries
   * @param datasets of the nodes that are stopped
   */
  record Settings(
      BenchRecords records, List<Path> files, int senders, QueryClients clients, int datasets) {}

  private final AsterixCluster cluster;
  private final ClusterSettings clusterSettings;
  private final Settings settings;
  private final StatementClient client;
  private final Storage storage;
  private final List<VersusRow> rows = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private VersusRound(AsterixCluster cluster, ClusterSettings clusterSettings, Settings settings) {
    this.cluster = cluster;
    this.clusterSettings = clusterSettings;
    this.settings = settings;
    this.client = cluster.client();
    this.storage = clusterSettings.storage();
  }

  /**
   * Runs in a cluster that was never started.
   *
   * @return the round, with its rows
   */
  static VersusRound run(AsterixCluster cluster, ClusterSettings clusterSettings, Settings settings)
      throws InterruptedException {
    try (ExitHook unused = new ExitHook("end cluster", () -> end(cluster))) {
      cluster.start(clusterSettings);
      VersusRound round = new VersusRound(cluster, clusterSettings, settings);
      round.runAll();
      return round;
    } finally {
      end(cluster);
    }
  }

  private static void end(AsterixCluster cluster) throws InterruptedException {
    for (Node node : Node.values()) {
      cluster.kill(node);
    }
  }

  List<VersusRow> rows() {
    return rows;
  }

  List<String> notes() {
    return notes;
  }

  private void runAll() throws InterruptedException {
    warmUp();
    BenchSchema fed = new BenchSchema("fed", 1);
    feed("feed", fed, settings.senders(), index -> index % settings.senders());
    for (QueryKind kind : QueryKind.values()) {
      ask(kind, fed);
    }
    client.rows(fed.drop());
    SplittableRandom random = new SplittableRandom(settings.clients().seed());
    Zipfian ranks = new Zipfian(SKEWED_DATASETS, Zipfian.THETA);
    BenchSchema skewed = new BenchSchema("skewed", SKEWED_DATASETS);
    feed("feeds-skewed", skewed, SKEWED_DATASETS, index -> (int) ranks.next(random));
    client.rows(skewed.drop());
    loadAndIndex();
    long peak = NodeUsage.peakBytes(cluster.status());
    if (peak >= 0) {
      note(String.format(Locale.ROOT, "a node controller had %d MiB at most", peak >> 20));
    }
    stopNodes();
  }

  /** Everything once on little data, so that the code is compiled. */
  private void warmUp() throws InterruptedException {
    BenchSchema schema = new BenchSchema("warmup", 1);
    BenchRecords few = settings.records().first(WARMUP_RECORDS);
    client.rows(schema.create());
    FeedRun feed = new FeedRun(client, schema, few, Ports.findFree(clusterSettings, 1));
    feed.start();
    feed.send(index -> 0);
    feed.stop();
    QueryClients one = new QueryClients(1, 0, 500, settings.clients().seed());
    for (QueryKind kind : QueryKind.values()) {
      one.run(kind, schema, few, client);
    }
    client.rows(schema.drop());
  }

  private void feed(String workload, BenchSchema schema, int sockets, IntUnaryOperator choice)
      throws InterruptedException {
    client.rows(schema.create());
    FeedRun feed =
        new FeedRun(client, schema, settings.records(), Ports.findFree(clusterSettings, sockets));
    feed.start();
    requireRest(workload);
    NodeUsage before = usage();
    long nanos = feed.send(choice);
    addWrites(workload, settings.records().count(), nanos, before);
    feed.stop();
    requireStorage(schema);
    note(
        String.format(
            Locale.ROOT,
            "%s: the sender took %.0f %% of a processor",
            workload,
            feed.senderShare() * 100));
  }

  private void ask(QueryKind kind, BenchSchema schema) throws InterruptedException {
    NodeUsage before = usage();
    QueryClients.Result result = settings.clients().run(kind, schema, settings.records(), client);
    add(VersusRow.ofQueries(kind.workload(), storage, result, usage().since(before)));
  }

  private void loadAndIndex() throws InterruptedException {
    BenchSchema loaded = new BenchSchema("loaded", 1);
    BenchRecords records = settings.records();
    client.rows(loaded.create());
    requireRest("load");
    List<String> nodes = Node.CONTROLLERS.stream().map(Node::id).toList();
    load(loaded.load(nodes, settings.files()));
    String count = loaded.count(0);
    QueryKind.COUNT.check(count, client.rows(count), records);
    index(loaded);
    long id = records.id(0);
    String one = loaded.partAndMark(0, records.part(id), records.mark(id));
    QueryKind.POINT.check(one, client.rows(one), records);
    requireStorage(loaded);
    client.rows(loaded.drop());
  }

  private void load(String statement) throws InterruptedException {
    int count = settings.records().count();
    long emptyBytes = cluster.dataBytes();
    NodeUsage before = usage();
    long nanos = nanosOf(statement);
    requireRest("load");
    add(
        VersusRow.ofWrites("load", storage, count, nanos, usage().since(before))
            .onDisk((cluster.dataBytes() - emptyBytes) / (double) count));
  }

  /** The first one is not measured: its code is compiled meanwhile, for as long as it takes. */
  private void index(BenchSchema loaded) throws InterruptedException {
    client.rows(loaded.index());
    requireRest("index");
    NodeUsage before = usage();
    long nanos = 0;
    for (int i = 0; i < INDEX_BUILDS; i++) {
      client.rows(loaded.dropIndex());
      nanos += nanosOf(loaded.index());
    }
    addWrites("index", (long) INDEX_BUILDS * settings.records().count(), nanos, before);
  }

  private void stopNodes() throws InterruptedException {
    NodeStops stops = new NodeStops(cluster, settings.datasets());
    stops.prepare();
    requireRest("stop");
    add(VersusRow.ofStops("stop", storage, stops.stop()));
    cluster.start(clusterSettings);
    stops.check();
  }

  private long nanosOf(String statement) throws InterruptedException {
    long startNanos = System.nanoTime();
    client.rows(statement);
    return System.nanoTime() - startNanos;
  }

  private void addWrites(String workload, long records, long nanos, NodeUsage before)
      throws InterruptedException {
    requireRest(workload);
    add(VersusRow.ofWrites(workload, storage, records, nanos, usage().since(before)));
  }

  private void add(VersusRow row) {
    rows.add(row);
    Progress.say(
        String.format(Locale.ROOT, "%s, %s: %,.1f/s", storage, row.workload(), row.opsPerSecond()));
  }

  private void note(String text) {
    notes.add(storage.name().toLowerCase(Locale.ROOT) + ": " + text);
  }

  private NodeUsage usage() throws InterruptedException {
    return NodeUsage.of(cluster.status());
  }

  /** Waits until merges have ended. */
  private void requireRest(String workload) throws InterruptedException {
    long deadline = System.nanoTime() + REST_LIMIT.toNanos();
    NodeUsage last = usage();
    while (System.nanoTime() < deadline) {
      Thread.sleep(REST_STEP.toMillis());
      NodeUsage now = usage();
      if (now.since(last).nodeNanos() < REST_SHARE * REST_STEP.toNanos()) {
        return;
      }
      last = now;
    }
    note(workload + ": the nodes did not come to rest within " + REST_LIMIT.toSeconds() + " s");
  }

  /** Makes sure that the storage is the one of the row. */
  private void requireStorage(BenchSchema schema) throws InterruptedException {
    for (Node node : Node.CONTROLLERS) {
      String trees =
          cluster.loamStatistics(node).map(found -> found.path("trees").toString()).orElse("");
      for (String index : BenchSchema.INDEXES) {
        String tree = "/" + schema.dataverse() + "/" + BenchSchema.dataset(0) + "/0/" + index;
        if (trees.contains(tree + "\"") != (storage == Storage.LOAM)) {
          throw CommandException.failed(
              tree + " of " + node.id() + " is not where " + storage + " storage has it");
        }
      }
    }
  }
}
