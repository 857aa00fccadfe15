package org.loam.workbench.inspect;

import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.loam.dashboard.Dashboard;
import org.loam.dashboard.DashboardOptions;
import org.loam.dashboard.source.DirectorySource;
import org.loam.dashboard.source.NodeSource;
import org.loam.dashboard.source.Source;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code loam dashboard}: a page that shows what an engine does now. */
@Command(
    name = "dashboard",
    description = {
      "Serves a page that shows what an engine does now: how memory is divided, with each"
          + " decision of the memory tuner and its reason, hits, write memory, flushes, merges, L0,"
          + " stalls and latencies. Open the address that it prints in a browser; end it with"
          + " Ctrl-C.",
      "",
      "The engine runs in another process: with --directory one of this machine and this user,"
          + " with --node a node of AsterixDB. If no engine has the directory open, the page shows"
          + " the history of the memory tuner. While no browser has the page open, the engine is"
          + " asked for nothing."
    },
    footer = {
      "  loam dashboard --directory /srv/orders",
      "  loam dashboard --node http://127.0.0.1:19004",
      "  LOAM_DASHBOARD_TOKEN=$(openssl rand -hex 16) loam dashboard --listen 0.0.0.0"
    })
public final class DashboardCommand implements Callable<Integer> {
  private static final int PORT = 7878;

  @Spec private @Nullable CommandSpec spec;

  @ArgGroup private @Nullable Origin origin;

  /** One or the other. */
  private static final class Origin {
    @Option(
        names = "--directory",
        paramLabel = "<path>",
        description =
            "Directory of the database. Default: the environment variable LOAM_DIRECTORY,"
                + " or else loam-data.")
    private @Nullable Path directory;

    @Option(
        names = "--node",
        paramLabel = "<url>",
        description = "Address of the API of a node of AsterixDB, such as http://127.0.0.1:19004.")
    private @Nullable URI node;
  }

  @Option(
      names = "--port",
      paramLabel = "<n>",
      description = "Port to listen at; 0 for one that is free. Default: " + PORT + ".")
  private int port = PORT;

  @Option(
      names = "--listen",
      paramLabel = "<address>",
      description =
          "Address to listen at. Default: 127.0.0.1. An address that other machines reach needs"
              + " --token.")
  private @Nullable String listen;

  @Option(
      names = "--token",
      paramLabel = "<text>",
      defaultValue = "${env:LOAM_DASHBOARD_TOKEN}",
      description =
          "A secret of at least 16 characters that each request must have. Other users of the"
              + " machine see a command line: the environment variable LOAM_DASHBOARD_TOKEN is"
              + " safer.")
  private @Nullable String token;

  @Override
  public Integer call() {
    DashboardOptions options = new DashboardOptions(port, listen, token);
    try (Dashboard dashboard = Dashboard.serve(source(), options)) {
      PrintWriter out = out();
      out.println(dashboard.address());
      out.flush();
      awaitInterrupt();
    }
    return ExitCode.OK;
  }

  private PrintWriter out() {
    if (spec == null) {
      throw new AssertionError("runs only as a command");
    }
    return spec.commandLine().getOut();
  }

  private Source source() {
    if (origin != null && origin.node != null) {
      return new NodeSource(origin.node);
    }
    String set = System.getenv("LOAM_DIRECTORY");
    Path directory =
        origin != null && origin.directory != null
            ? origin.directory
            : Path.of(set == null ? "loam-data" : set);
    if (!Files.isDirectory(directory)) {
      throw CommandException.environment(
          "there is no directory " + directory + "; name that of a database with --directory");
    }
    return new DirectorySource(directory);
  }

  private static void awaitInterrupt() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      // The end; the interrupt has done its work.
    }
  }
}
