package org.loam.workbench.asterixdb.feed;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.loam.engine.EngineStatistics;
import org.loam.workbench.asterixdb.cluster.AsterixCluster;
import org.loam.workbench.asterixdb.cluster.ClusterSettings;
import org.loam.workbench.asterixdb.cluster.Node;
import org.loam.workbench.asterixdb.cluster.NodeText;
import org.loam.workbench.asterixdb.cluster.StatementException;
import org.loam.workbench.console.Circumstances;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Progress;

/**
 * Feeds records into a cluster, kills a node in the middle, starts it again, and compares.
 *
 * <p>A feed of a socket acknowledges nothing: a record that was sent and not yet committed when the
 * node died is gone, and no promise is broken. But a query shows a record only when its commit is
 * in the log, so a record that a query has shown must be there for good. After that all records are
 * sent again. A feed writes each record in place of an older one with its key, so in the end
 * exactly these records must be there, in the dataset and in each index.
 */
final class FeedDemo {
  private static final Duration IDLE_LIMIT = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(250);

  /** At this share of the records the sender waits until queries show enough, then goes on. */
  private static final double PAUSE_AT = 0.6;

  private static final double SEEN_BEFORE_KILL = 0.3;

  /** A feed has ended by itself, at the end of a file or because a node has died. */
  private static final String NO_FEED_TO_STOP = "ASX3090";

  private static final int ROUNDS_OF_QUESTIONS = 10;

  private final AsterixCluster cluster;
  private final ClusterSettings settings;
  private final FeedRecords records;
  private final FeedSchema schema;
  private final FeedAnswers answers;
  private final StringBuilder nodes = new StringBuilder();
  private long fileFeedPerSecond;
  private long socketFeedPerSecond;
  private int sent;
  private int seen;
  private int recovered;
  private int lost;
  private double recoverySeconds;
  private long flushes;
  private long merges;

  FeedDemo(AsterixCluster cluster, ClusterSettings settings, FeedRecords records, long seed) {
    this.cluster = cluster;
    this.settings = settings;
    this.records = records;
    int port = settings.port() + ClusterSettings.PORT_COUNT;
    this.schema = new FeedSchema(records.shape(), port, records.file());
    this.answers = new FeedAnswers(cluster, schema, records, seed);
  }

  /** Everything; the cluster runs afterwards. */
  void run() throws InterruptedException {
    try {
      cluster.start(settings);
      cluster.run(schema.create(), row -> {});
      feedFile();
      feedAndKill();
      recover();
      feedAgain();
      compare();
    } catch (StatementException e) {
      throw CommandException.failed("AsterixDB refused a statement: " + e.getMessage());
    }
  }

  private void feedFile() throws InterruptedException {
    String dataset = schema.fileDataset();
    long startNanos = System.nanoTime();
    start(dataset);
    awaitAll(dataset, "file feed");
    fileFeedPerSecond = perSecond(startNanos);
    stop(dataset);
  }

  private long perSecond(long startNanos) {
    return Math.round(records.count() / ((System.nanoTime() - startNanos) / 1e9));
  }

  /** Waits until a dataset has all records. */
  private void awaitAll(String dataset, String what) throws InterruptedException {
    IdleLimit idle = idleLimit(what);
    try (Progress progress = Progress.startRecords(what, records.count())) {
      int count = 0;
      while (count < records.count()) {
        count = cluster.rows(schema.count(dataset)).get(0).intValue();
        progress.step(idle.more(count));
        Thread.sleep(POLL.toMillis());
      }
    }
  }

  private IdleLimit idleLimit(String what) {
    return new IdleLimit(what, records.count(), IDLE_LIMIT, System::nanoTime);
  }

  /** Starts a feed. If its node has died, the socket becomes free only some time later. */
  private void start(String dataset) throws InterruptedException {
    long deadline = System.nanoTime() + IDLE_LIMIT.toNanos();
    while (true) {
      try {
        cluster.run(schema.start(dataset), row -> {});
        return;
      } catch (StatementException e) {
        if (!String.valueOf(e.getMessage()).contains("in use") || System.nanoTime() > deadline) {
          throw e;
        }
        Thread.sleep(POLL.toMillis());
      }
    }
  }

  private void stop(String dataset) throws InterruptedException {
    try {
      cluster.run(schema.stop(dataset), row -> {});
    } catch (StatementException e) {
      if (!e.code().equals(NO_FEED_TO_STOP)) {
        throw e;
      }
    }
  }

  private void feedAndKill() throws InterruptedException {
    start(schema.socketDataset());
    int pauseAt = (int) (records.count() * PAUSE_AT);
    int enough = (int) (records.count() * SEEN_BEFORE_KILL);
    try (FeedSender sender = new FeedSender(records.file(), schema.port(), pauseAt);
        Progress progress = Progress.startRecords("socket feed", records.count())) {
      IdleLimit idle = idleLimit("what queries show of the socket feed");
      while (seen < enough) {
        answers.look();
        answers.askIndexes();
        seen = answers.seenCount();
        progress.step(idle.more(seen));
      }
      count(Node.NC2);
      sender.resume();
      cluster.kill(Node.NC2);
      sent = sender.sent();
    }
    Progress.say(String.format(Locale.ROOT, "killed nc2 when queries had shown %,d records", seen));
  }

  private void recover() throws InterruptedException {
    long startNanos = System.nanoTime();
    cluster.start(settings);
    lost = answers.lost();
    recoverySeconds = (System.nanoTime() - startNanos) / 1e9;
    stop(schema.socketDataset());
    recovered = answers.compareRecords(schema.socketDataset());
    answers.askIndexes();
  }

  private void feedAgain() throws InterruptedException {
    start(schema.socketDataset());
    long startNanos = System.nanoTime();
    try (FeedSender sender = new FeedSender(records.file(), schema.port(), -1)) {
      awaitAll(schema.socketDataset(), "socket feed, from the beginning");
      sender.join();
    }
    socketFeedPerSecond = perSecond(startNanos);
    stop(schema.socketDataset());
  }

  private void compare() throws InterruptedException {
    try (Progress progress = Progress.start("compare", ROUNDS_OF_QUESTIONS + 2)) {
      answers.requireAll(schema.fileDataset());
      answers.requireIndexed();
      progress.step(1);
      answers.requireAll(schema.socketDataset());
      progress.step(1);
      for (int round = 0; round < ROUNDS_OF_QUESTIONS; round++) {
        answers.askIndexes();
        progress.step(1);
      }
    }
    for (Node node : Node.CONTROLLERS) {
      nodes.append(NodeText.of(node, count(node))).append(System.lineSeparator());
    }
  }

  /** Adds up what a node has done since it was started. */
  private EngineStatistics count(Node node) throws InterruptedException {
    EngineStatistics statistics =
        cluster
            .loamStatistics(node)
            .map(answer -> NodeText.read(node, answer))
            .orElseThrow(() -> CommandException.failed(node.id() + " has no statistics"));
    flushes += statistics.work().flushes();
    merges += statistics.work().merges();
    return statistics;
  }

  /** What each node holds at the end. */
  String nodes() {
    return nodes.toString();
  }

  /**
   * What was found.
   *
   * @param keptDirectory of the cluster; null if it is deleted
   */
  FeedReport report(@Nullable Path keptDirectory, long elapsedNanos) {
    return new FeedReport(
        new FeedReport.Given(records.source(), records.count(), records.bytes()),
        new FeedReport.Feeds(fileFeedPerSecond, socketFeedPerSecond),
        new FeedReport.Kill(sent, seen, recovered, lost, Math.round(recoverySeconds * 10) / 10.0),
        new FeedReport.Answers(answers.queries(), answers.wrong()),
        new FeedReport.Disk(flushes, merges),
        Circumstances.of(elapsedNanos, keptDirectory, cluster.directory()));
  }
}
