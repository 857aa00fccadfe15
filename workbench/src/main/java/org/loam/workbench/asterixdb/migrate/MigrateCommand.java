package org.loam.workbench.asterixdb.migrate;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.asterixdb.cluster.QueryService;
import org.loam.workbench.asterixdb.cluster.StatementException;
import org.loam.workbench.asterixdb.migrate.DatasetMove.Moved;
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
          + " file, which a node of the new cluster loads. Then the command reads the new"
          + " dataset and compares all records. Nothing may write to the old dataset meanwhile.",
      "",
      "With --drop each dataset is dropped from the old cluster when its records were"
          + " found the same: so the disks need room for the largest dataset twice,"
          + " not for everything. The exit code is 0 only if all datasets are there."
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
    DatasetMove move = new DatasetMove(old, cluster("--to", to), files, node);
    List<Moved> all = new ArrayList<>();
    for (String dataset : datasets) {
      try {
        Moved moved = move.copy(dataset);
        if (drops) {
          old.drop(dataset);
        }
        all.add(moved);
        Progress.say(text(moved));
      } catch (StatementException e) {
        throw CommandException.failed(dataset + ": AsterixDB refused: " + e.getMessage());
      }
    }
    options.print(all, () -> all.size() + " datasets moved" + System.lineSeparator());
    return ExitCode.OK;
  }

  private MoveCluster cluster(String option, String url) {
    if (!url.matches("https?://[^/\\s]+/?")) {
      throw options.usage(option + " = " + url + ", rule: such as http://10.0.0.10:19002");
    }
    return new QueriedCluster(new QueryService(url.replaceFirst("/$", "")));
  }

  private static String text(Moved moved) {
    return String.format(
        Locale.ROOT,
        "%s: %,d records, %,d bytes as text, the same in both clusters",
        moved.dataset(),
        moved.records(),
        moved.bytes());
  }
}
