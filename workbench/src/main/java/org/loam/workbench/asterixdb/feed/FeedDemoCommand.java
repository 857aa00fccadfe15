package org.loam.workbench.asterixdb.feed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.loam.workbench.asterixdb.cluster.Artifacts;
import org.loam.workbench.asterixdb.cluster.AsterixCluster;
import org.loam.workbench.asterixdb.cluster.ClusterSettings;
import org.loam.workbench.asterixdb.cluster.Node;
import org.loam.workbench.asterixdb.cluster.Ports;
import org.loam.workbench.asterixdb.cluster.Storage;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.ExitHook;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.demo.DemoOptions;
import org.loam.workbench.demo.RecordSource;
import org.loam.workbench.demo.SourceOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loam asterixdb demo}: feeds into a cluster on Loam, and a node that dies in between. */
@Command(
    name = "demo",
    description = {
      "Shows AsterixDB on Loam at work, in a cluster of its own that is deleted at"
          + " the end. The records are the package index of this Debian machine, about"
          + " 60,000 JSON records, or generated TPC-H orders elsewhere. They come through"
          + " the feed of a file and through a socket feed into datasets with secondary"
          + " indexes, while queries run. A node is killed meanwhile and started again.",
      "",
      "A socket feed acknowledges nothing, but a record that a query has shown is"
          + " committed: it must be there after the kill. At the end everything is sent"
          + " again, and each record and each index is compared with what was sent. The exit"
          + " code is 0 only if nothing was lost and every answer was right."
    },
    footer = {"  loam asterixdb demo", "  loam asterixdb demo --quick --json"})
public final class FeedDemoCommand implements Callable<Integer> {
  private static final long HEAP_BYTES = 256L << 20;

  /** Two datasets with their indexes and logs, on two nodes. */
  private static final long NEEDED_BYTES = 3L << 30;

  private static final int QUICK_RECORDS = 5000;

  @Mixin private DemoOptions options = new DemoOptions();

  @Mixin private SourceOptions source = new SourceOptions();

  @Option(names = "--quick", description = "Feed only 5000 records.")
  private boolean quick;

  @Override
  public Integer call() throws InterruptedException {
    int mostRecords = options.mostRecords();
    try (WorkDirectory work = options.workDirectory("asterixdb-demo")) {
      work.requireFreeBytes(NEEDED_BYTES);
      return run(work.path(), mostRecords);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Integer run(Path work, int mostRecords) throws IOException, InterruptedException {
    long startNanos = System.nanoTime();
    RecordSource chosen = source.choose();
    Progress.say("source: " + chosen.description());
    FeedRecords records =
        FeedRecords.write(
            work.resolve("records.json"),
            chosen,
            quick ? Math.min(mostRecords, QUICK_RECORDS) : mostRecords);
    DemoOptions.requireEnough(records.count());
    AsterixCluster cluster = new AsterixCluster(work.resolve("cluster"), Artifacts.ofThisClone());
    try (ExitHook unused = new ExitHook("end cluster", () -> end(cluster))) {
      ClusterSettings free = Ports.findFree(HEAP_BYTES, Storage.LOAM);
      ClusterSettings settings = quick ? free.briefly() : free;
      FeedDemo demo = new FeedDemo(cluster, settings, records, options.seed());
      demo.run();
      FeedReport report = demo.report(options.keep() ? work : null, System.nanoTime() - startNanos);
      options.print(report, () -> demo.nodes() + report.text());
      return report.isClean() ? ExitCode.OK : ExitCode.FAILED;
    } finally {
      cluster.stop();
    }
  }

  private static void end(AsterixCluster cluster) throws InterruptedException {
    for (Node node : Node.values()) {
      cluster.kill(node);
    }
  }
}
