package org.loam.workbench.asterixdb;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.asterixdb.cluster.AsterixCluster;
import org.loam.workbench.asterixdb.cluster.ClusterDirectory;
import org.loam.workbench.asterixdb.cluster.ClusterSettings;
import org.loam.workbench.asterixdb.cluster.ClusterStatsCommand;
import org.loam.workbench.asterixdb.cluster.ClusterStatus;
import org.loam.workbench.asterixdb.cluster.Node;
import org.loam.workbench.asterixdb.cluster.StatementException;
import org.loam.workbench.asterixdb.cluster.Storage;
import org.loam.workbench.asterixdb.crash.CrashCommand;
import org.loam.workbench.asterixdb.differential.DifferentialCommand;
import org.loam.workbench.asterixdb.feed.FeedDemoCommand;
import org.loam.workbench.asterixdb.install.InstallCommand;
import org.loam.workbench.asterixdb.migrate.MigrateCommand;
import org.loam.workbench.asterixdb.suite.SuiteCommand;
import org.loam.workbench.console.ByteSize;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.ReportOptions;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loam asterixdb}: a cluster of AsterixDB on this machine. */
@Command(
    name = "asterixdb",
    subcommands = {
      FeedDemoCommand.class,
      ClusterStatsCommand.class,
      CrashCommand.class,
      DifferentialCommand.class,
      SuiteCommand.class,
      InstallCommand.class,
      MigrateCommand.class
    },
    synopsisSubcommandLabel = "[COMMAND]",
    description = {
      "Starts a cluster of AsterixDB on this machine and leaves it running: one"
          + " cluster controller and two node controllers. If the cluster runs already, the"
          + " command says so. If a node has died, the command starts this node again.",
      "",
      "--sql runs the SQL++ statements of a file and prints a line of JSON for each"
          + " row of the results. It stops at the first statement that fails. It starts the"
          + " cluster if it does not run. --status has exit code 0 only if the whole cluster"
          + " is active.",
      "",
      "Maven fetches AsterixDB, 160 MB, the first time. AsterixDB asks for no"
          + " password, and its query port is open to the network: do not use this on a"
          + " machine that others can reach."
    },
    footer = {
      "  loam asterixdb",
      "  loam asterixdb --sql orders.sqlpp",
      "  echo 'SELECT VALUE 1 + 1;' | loam asterixdb --sql -",
      "  loam asterixdb --directory /var/tmp/second --port 20000 --memory 1GiB",
      "  loam asterixdb --status",
      "  loam asterixdb stats",
      "  loam asterixdb --stop",
      "  loam asterixdb demo --quick",
      "  loam asterixdb crashes --cycles 10",
      "  loam asterixdb differential --seed 7",
      "  loam asterixdb suite --groups ddl,upsert",
      "  loam asterixdb install /opt/apache-asterixdb-0.9.8",
      "  loam asterixdb migrate --help"
    })
public final class AsterixCommand implements Callable<Integer> {
  private static final String BYTE_ORDER_MARK = "\ufeff";

  @Mixin private ReportOptions options = new ReportOptions();

  @ArgGroup private @Nullable Action action;

  /** What to do instead of starting; one or the other. */
  private static final class Action {
    @Option(
        names = "--sql",
        paramLabel = "<file>",
        description = "Run the statements of this file; - is standard input.")
    private @Nullable String script;

    @Option(names = "--status", description = "Show the nodes, their states and their memory.")
    private boolean status;

    @Option(
        names = "--stop",
        description = "Stop the cluster. A node that still runs after 30 seconds is killed.")
    private boolean stop;
  }

  @Mixin private ClusterDirectory directory = new ClusterDirectory();

  @Option(
      names = "--port",
      paramLabel = "<n>",
      description =
          "Port of the query service. The cluster takes the next four ports, too."
              + " Default: the port of the last start; 19002 for a new cluster.")
  private @Nullable Integer port;

  @Option(
      names = "--memory",
      paramLabel = "<size>",
      converter = ByteSize.class,
      description =
          "Java heap of each node controller. The stock storage uses half of it; Loam"
              + " gets as much memory outside of the heap. Default: as at the last start; 512MiB"
              + " for a new cluster.")
  private @Nullable Long heapBytes;

  @Option(
      names = "--storage",
      paramLabel = "<kind>",
      description =
          "Which storage keeps the data: loam, or stock, the storage of AsterixDB."
              + " Default: as at the last start; loam for a new cluster.")
  private @Nullable Storage storage;

  @Option(
      names = "--devices",
      paramLabel = "<n>",
      description =
          "Number of I/O devices of each node controller. A device is a directory and has"
              + " one partition of every dataset. Fixed at the first start. Default: 1.")
  private @Nullable Integer devices;

  @Override
  public Integer call() throws InterruptedException {
    AsterixCluster cluster = directory.cluster();
    if (action != null && action.status) {
      return printStatus(cluster);
    }
    if (action != null && action.stop) {
      return stop(cluster);
    }
    ClusterSettings settings = settings(cluster);
    if (action != null && action.script != null) {
      return run(cluster, settings, action.script);
    }
    Set<Node> started = start(cluster, settings);
    if (started.isEmpty()) {
      Progress.say("it runs already");
    }
    int exitCode = printStatus(cluster);
    Progress.say("stop it with: loam asterixdb --stop" + directory.option());
    return exitCode;
  }

  /** What was chosen, in place of what the last start had. */
  private ClusterSettings settings(AsterixCluster cluster) {
    ClusterSettings last = cluster.settings().orElse(ClusterSettings.DEFAULT);
    try {
      return new ClusterSettings(
          port == null ? last.port() : port,
          heapBytes == null ? last.heapBytes() : heapBytes,
          storage == null ? last.storage() : storage,
          devices == null ? last.devices() : devices,
          last.loam(),
          last.nodes(),
          last.brief());
    } catch (IllegalArgumentException e) {
      throw options.usage("--" + e.getMessage());
    }
  }

  private static Set<Node> start(AsterixCluster cluster, ClusterSettings settings)
      throws InterruptedException {
    long startNanos = System.nanoTime();
    Set<Node> started = cluster.start(settings);
    if (!started.isEmpty()) {
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      Progress.say(String.format(Locale.ROOT, "started %s in %.1f s", ids(started), seconds));
    }
    return started;
  }

  private Integer run(AsterixCluster cluster, ClusterSettings settings, String file)
      throws InterruptedException {
    String script = read(file, System.in);
    if (!cluster.isRunning()) {
      Progress.say("no cluster runs in its directory; starting it ...");
    }
    start(cluster, settings);
    PrintWriter out = options.out();
    try {
      cluster.run(
          script,
          row -> out.println(Json.line(row)),
          warning -> Progress.say("warning: " + warning));
    } catch (StatementException e) {
      throw CommandException.failed("line " + e.line() + ": " + e.getMessage());
    } finally {
      out.flush();
    }
    return ExitCode.OK;
  }

  /** A script, without a byte order mark, with which some editors of Windows begin a file. */
  static String read(String file, InputStream standard) {
    boolean isStandard = file.equals("-");
    ByteBuffer bytes;
    try {
      bytes =
          ByteBuffer.wrap(isStandard ? standard.readAllBytes() : Files.readAllBytes(Path.of(file)));
    } catch (NoSuchFileException e) {
      throw CommandException.environment("there is no file " + file, e);
    } catch (IOException e) {
      throw CommandException.environment("cannot read the file " + file + ": " + e, e);
    }
    try {
      String script = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
      return script.startsWith(BYTE_ORDER_MARK) ? script.substring(1) : script;
    } catch (CharacterCodingException e) {
      throw CommandException.environment(
          (isStandard ? "standard input" : "the file " + file)
              + " is not UTF-8, at byte "
              + (bytes.position() + 1)
              + "; no statement was run",
          e);
    }
  }

  private Integer stop(AsterixCluster cluster) throws InterruptedException {
    boolean isRunning = cluster.isRunning();
    Set<Node> forced = cluster.stop();
    PrintWriter out = options.out();
    if (!isRunning) {
      out.println("no cluster runs in " + cluster.directory());
    } else if (forced.isEmpty()) {
      out.println("stopped");
    } else {
      out.println("stopped, " + ids(forced) + " by force; the next start recovers");
    }
    return ExitCode.OK;
  }

  private Integer printStatus(AsterixCluster cluster) throws InterruptedException {
    ClusterStatus status = cluster.status();
    options.print(status, status::text);
    return status.isActive() ? ExitCode.OK : ExitCode.FAILED;
  }

  private static String ids(Set<Node> nodes) {
    return nodes.stream().map(Node::id).collect(Collectors.joining(", "));
  }
}
