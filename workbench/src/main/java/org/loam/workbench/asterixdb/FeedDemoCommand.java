package org.loam.workbench.asterixdb;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.ExitHook;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.demo.RecordSource;
import org.loam.workbench.demo.SourceOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code loam asterixdb demo}: feeds into a cluster on Loam, and a node that dies in between. */
@Command(
    name = "demo",
    description = {
      "Shows AsterixDB on Loam at work, in a cluster of its own that is stopped and deleted at the"
          + " end: the package index of this Debian machine (about 60,000 JSON records; elsewhere"
          + " generated TPC-H orders) comes through the feed of a file and through a socket feed"
          + " into datasets with secondary indexes, while queries run. A node is killed in the"
          + " middle and started again.",
      "",
      "A socket feed acknowledges nothing, but what a query has shown is committed: all of that"
          + " must be there after the kill, or it is lost. Then everything is sent again, and each"
          + " record and each index is compared with what was sent. Exit code 0 only if nothing was"
          + " lost and every answer was right."
    },
    footer = {"  loam asterixdb demo", "  loam asterixdb demo --quick --json"})
public final class FeedDemoCommand implements Callable<Integer> {
  private static final long HEAP_BYTES = 256L << 20;

  /** Two datasets with their indexes and logs, on two nodes. */
  private static final long NEEDED_BYTES = 3L << 30;

  private static final int LEAST_RECORDS = 1000;
  private static final int QUICK_RECORDS = 5000;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private SourceOptions source = new SourceOptions();

  @Option(names = "--records", paramLabel = "<n>", description = "Feed at most so many records.")
  private int mostRecords = Integer.MAX_VALUE;

  @Option(names = "--quick", description = "Feed 5000 records.")
  private boolean quick;

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      defaultValue = "42",
      description = "Of the choice of queries. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--directory",
      paramLabel = "<path>",
      description = "Where to put the cluster: an empty or new directory.")
  private @Nullable Path directory;

  @Option(names = "--keep", description = "Leave the directory when done.")
  private boolean keep;

  @Option(names = "--json", description = "Print a JSON document instead of text.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    if (mostRecords < LEAST_RECORDS) {
      throw new ParameterException(
          command().commandLine(),
          "--records = " + mostRecords + ", rule: at least " + LEAST_RECORDS);
    }
    try (WorkDirectory work = WorkDirectory.create(directory, "asterixdb-demo", keep)) {
      work.requireFreeBytes(NEEDED_BYTES);
      return run(work.path());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Integer run(Path work) throws IOException, InterruptedException {
    long startNanos = System.nanoTime();
    RecordSource chosen = source.choose();
    Progress.say("source: " + chosen.description());
    FeedRecords records =
        FeedRecords.write(
            work.resolve("records.json"),
            chosen,
            quick ? Math.min(mostRecords, QUICK_RECORDS) : mostRecords);
    if (records.count() < LEAST_RECORDS) {
      throw CommandException.environment(
          "the source has only " + records.count() + " records; choose another with --source tpch");
    }
    AsterixCluster cluster = new AsterixCluster(work.resolve("cluster"), Artifacts.ofThisClone());
    try (ExitHook unused = new ExitHook("end cluster", () -> end(cluster))) {
      FeedDemo demo =
          new FeedDemo(cluster, Ports.findFree(HEAP_BYTES, Storage.LOAM), records, seed);
      demo.run();
      FeedReport report = demo.report(keep ? work : null, System.nanoTime() - startNanos);
      PrintWriter out = command().commandLine().getOut();
      out.print(
          json ? Json.document(report) + System.lineSeparator() : demo.nodes() + report.text());
      out.flush();
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

  private CommandSpec command() {
    if (spec == null) {
      throw new AssertionError("runs only as a command");
    }
    return spec;
  }
}
