package org.loam.workbench.asterixdb.migrate;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.asterixdb.cluster.QueryService;
import org.loam.workbench.asterixdb.cluster.StatementException;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.ReportOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code loam asterixdb migrate}: datasets go from one cluster to another. */
@Command(
    name = "migrate",
    description = {
      "Moves datasets from a cluster on stock storage to one on Loam, one after the other."
          + " The datasets are created in the new cluster before, with their types and"
          + " indexes, and are empty there. All records of a dataset are written to a"
          + " file with their types, which a node of the new cluster loads. Then the command"
          + " reads the new dataset and compares all records and types. Nothing may write"
          + " to the old dataset meanwhile.",
      "",
      "With --drop each dataset is dropped from the old cluster when its records were"
          + " found the same: so the disks need room for the largest dataset twice,"
          + " not for everything. Before the drop the old dataset is read once more, and stays"
          + " if it has changed. A record that is written after this reading has passed it,"
          + " and before the drop, is lost.",
      "",
      "If a run was ended, run the same command again: it goes on where it was. What is in"
          + " the new cluster and no longer in the old one was moved before, and is the only"
          + " copy: never drop that. A dataset whose LOAD failed has to be dropped and created in"
          + " the new cluster first. The exit code is 0 only if all datasets are there.",
      "",
      "Large records need heap, several times their text: LOAM_JAVA_OPTS=-Xmx8g."
    },
    footer = {
      "  loam asterixdb migrate --from http://10.0.0.10:19002 --to http://10.0.0.10:29002 \\",
      "    --node red --files /data1/move --drop shop.orders shop.customers"
    })
public final class MigrateCommand implements Callable<Integer> {
  @Mixin private ReportOptions options = new ReportOptions();

  @Option(
      names = "--from",
      required = true,
      paramLabel = "<url>",
      description = "The cluster controller of the old cluster: http://HOST:PORT.")
  private String from = "";

  @Option(
      names = "--to",
      required = true,
      paramLabel = "<url>",
      description = "The cluster controller of the new cluster.")
  private String to = "";

  @Option(
      names = "--node",
      required = true,
      paramLabel = "<id>",
      description = "The node of the new cluster that reads the files.")
  private String node = "";

  @Option(
      names = "--files",
      required = true,
      paramLabel = "<directory>",
      description = "Where the files are written, on the machine of this node.")
  private @Nullable Path files;

  @Option(
      names = "--drop",
      description = "Drop each dataset from the old cluster after it was compared.")
  private boolean drops;

  @Parameters(
      arity = "1..*",
      paramLabel = "<dataset>",
      description = "Datasets with their dataverse, as SQL++ has them: shop.orders.")
  private List<String> datasets = List.of();

  private final Function<String, MoveCluster> clusters;

  /** The command, for clusters that are asked over HTTP. */
  public MigrateCommand() {
    this(url -> new QueriedCluster(new QueryService(url)));
  }

  MigrateCommand(Function<String, MoveCluster> clusters) {
    this.clusters = clusters;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (files == null || !Files.isDirectory(files)) {
      throw options.usage("--files = " + files + ", rule: a directory");
    }
    if (files.toAbsolutePath().toString().contains(",")) {
      throw options.usage(
          "--files = "
              + files.toAbsolutePath()
              + ", rule: no comma, which AsterixDB takes for the end of a path");
    }
    MoveCluster old = cluster("--from", from);
    MoveCluster fresh = cluster("--to", to);
    requireTwo(old, fresh);
    DatasetMove move = new DatasetMove(old, fresh, files, node, drops);
    List<Moved> all = new ArrayList<>();
    try {
      for (String dataset : datasets) {
        Moved moved = move(move, dataset);
        all.add(moved);
        Progress.say(moved.text());
      }
    } finally {
      // Also if one is refused: the others are in the new cluster alone, perhaps.
      options.print(all, () -> all.size() + " datasets moved" + System.lineSeparator());
    }
    return ExitCode.OK;
  }

  private static Moved move(DatasetMove move, String dataset) throws InterruptedException {
    try {
      return move.move(dataset);
    } catch (StatementException e) {
      throw CommandException.failed(dataset + ": AsterixDB refused: " + e.getMessage());
    }
  }

  private MoveCluster cluster(String option, String url) {
    if (!url.matches("https?://[^/\\s]+/?")) {
      throw options.usage(option + " = " + url + ", rule: such as http://10.0.0.10:19002");
    }
    return clusters.apply(url.replaceFirst("/$", ""));
  }

  private void requireTwo(MoveCluster old, MoveCluster fresh) throws InterruptedException {
    try {
      Optional<String> identity = old.identity();
      if (identity.isPresent() && identity.equals(fresh.identity())) {
        throw options.usage(
            "--from = " + from + " and --to = " + to + " are the same cluster, rule: two clusters");
      }
    } catch (StatementException e) {
      throw CommandException.failed("AsterixDB refused: " + e.getMessage());
    }
  }
}
