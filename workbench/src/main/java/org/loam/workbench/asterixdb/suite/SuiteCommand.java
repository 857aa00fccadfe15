package org.loam.workbench.asterixdb.suite;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.ConfigException;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.NodeDefaults;
import org.loam.workbench.asterixdb.cluster.Artifacts;
import org.loam.workbench.asterixdb.cluster.Storage;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.ReportOptions;
import org.loam.workbench.console.WorkDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loam asterixdb suite}: AsterixDB's own runtime suite. */
@Command(
    name = "suite",
    description = {
      "Runs cases of AsterixDB's own SQL++ runtime suite on Loam, on AsterixDB's"
          + " stock storage, or on both. A case has statements, and the answers that"
          + " AsterixDB's authors expect. The cluster runs in a process of its own, on free"
          + " ports.",
      "",
      "Most cases load files that are in no artifact. --data names a directory with"
          + " them: the folder asterixdb/asterix-app/data of AsterixDB's sources. A case"
          + " without its files is listed and not run. A case that takes five minutes has"
          + " failed, and the next case gets a new cluster. On Loam, a case also fails if an"
          + " index that belongs there is not in Loam. The report has how many cycles the memory"
          + " tuners of Loam's nodes ended, and within how many of them memory moved.",
      "",
      "The exit code is 0 if each case that passes on the stock storage passes on"
          + " Loam; with one storage, if no case fails. Maven fetches AsterixDB and its"
          + " tests, 200 MB, the first time."
    },
    footer = {
      "  loam asterixdb suite --storage both --data asterixdb/asterix-app/data",
      "  loam asterixdb suite --groups ddl,upsert",
      "  loam asterixdb suite --groups all --cases 'index|key' --json",
      "  loam asterixdb suite --settings '{tuner: {mode: ADAPTIVE, cycleSeconds: 1}}'"
    })
public final class SuiteCommand implements Callable<Integer> {
  private static final List<String> DEFAULT_GROUPS =
      List.of(
          "ddl",
          "dml",
          "feeds",
          "index-join",
          "index-leftouterjoin",
          "index-selection",
          "load",
          "nested-index-dml",
          "upsert");

  /** Which storages to run on. */
  enum Storages {
    /** Loam alone. */
    LOAM,
    /** AsterixDB's alone. */
    STOCK,
    /** Both, and compare. */
    BOTH;

    private List<Storage> list() {
      return switch (this) {
        case LOAM -> List.of(Storage.LOAM);
        case STOCK -> List.of(Storage.STOCK);
        case BOTH -> List.of(Storage.STOCK, Storage.LOAM);
      };
    }
  }

  @Mixin private ReportOptions options = new ReportOptions();

  @Option(
      names = "--storage",
      paramLabel = "<kind>",
      defaultValue = "LOAM",
      description =
          "Which storage keeps the data: loam, stock, or both, one after the other."
              + " Default: loam.")
  private Storages storages = Storages.LOAM;

  @Option(
      names = "--data",
      paramLabel = "<path>",
      description = "Directory of AsterixDB's test data. The command only reads it.")
  private @Nullable Path data;

  @Option(
      names = "--groups",
      paramLabel = "<name>",
      split = ",",
      description =
          "Groups of the suite, comma-separated, or all. Default: the groups about"
              + " datasets and their indexes: ddl, dml, feeds, index-join, index-leftouterjoin,"
              + " index-selection, load, nested-index-dml, upsert.")
  private List<String> groups = DEFAULT_GROUPS;

  @Option(
      names = "--cases",
      paramLabel = "<regex>",
      description =
          "Run only the cases with a match of this in their name, such as 'upsert/|insert'.")
  private @Nullable String cases;

  @Option(
      names = "--settings",
      paramLabel = "<yaml>",
      defaultValue = "",
      description =
          "Settings of Loam on each node, a line of YAML as in the node's loam.settings. Default:"
              + " none.")
  private String settings = "";

  @Option(
      names = "--alternate",
      paramLabel = "<name>=<value>",
      description =
          "A live setting that all nodes on Loam get before a case. Repeated, each case gets the"
              + " next one, round and round: with --settings '{tuner: {mode: OBSERVE}}' --alternate"
              + " write.targetBytes=16MiB --alternate write.targetBytes=64MiB cases run while"
              + " memory moves.")
  private List<String> alternating = List.of();

  @Option(
      names = "--keep",
      description = "Keep answers and logs in the work directory, and print where it is.")
  private boolean keep;

  @Override
  public Integer call() throws InterruptedException {
    Pattern name = pattern();
    requireSettings();
    Path dataDirectory = data;
    if (dataDirectory != null && !Files.isDirectory(dataDirectory)) {
      throw CommandException.environment("there is no directory " + dataDirectory);
    }
    String classPath = Artifacts.ofThisClone().suiteClassPath();
    try (WorkDirectory work = WorkDirectory.create(null, "suite", keep)) {
      SuiteRun run =
          new SuiteRun(
              new SuiteFiles(work.path(), classPath, dataDirectory),
              classPath,
              settings,
              alternating);
      SuitePlan plan = run.plan(groups, name);
      List<StorageResult> results = new ArrayList<>();
      for (Storage storage : storages.list()) {
        results.add(run.run(storage.name().toLowerCase(Locale.ROOT), plan));
      }
      if (keep) {
        Progress.say("answers and logs are in " + work.path());
      }
      SuiteReport report = new SuiteReport(Artifacts.VERSION, results);
      options.print(report, report::text);
      return report.isPassed() ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private void requireSettings() {
    EngineConfig config;
    try {
      config =
          NodeDefaults.builder()
              .memoryTotalBytes(1L << 30)
              .yaml(new StringReader(settings))
              .build();
    } catch (ConfigException e) {
      throw options.usage("--settings: " + e.getMessage());
    }
    for (String setting : alternating) {
      String[] parts = setting.split("=", 2);
      if (parts.length < 2) {
        throw options.usage("--alternate = " + setting + ", rule: <name>=<value>");
      }
      try {
        config = config.changed(parts[0], parts[1]);
      } catch (ConfigException e) {
        throw options.usage("--alternate: " + e.getMessage());
      }
    }
  }

  private @Nullable Pattern pattern() {
    try {
      return cases == null ? null : Pattern.compile(cases);
    } catch (PatternSyntaxException e) {
      throw options.usage("--cases: " + e.getDescription() + " in '" + cases + "'");
    }
  }
}
