package org.loam.workbench.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.WorkDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code loam demo}: real records through the whole engine, and a kill that loses none. */
@Command(
    name = "demo",
    description = {
      "Shows the engine at work: ingests the package index of this Debian machine (about 60,000"
          + " JSON records with four indexes; elsewhere generated TPC-H orders) with 64 MiB of"
          + " memory, updates, deletes, reads by key, prefix, range, in reverse and by index, then"
          + " kills its own child process in the middle of another ingest, opens the database"
          + " again, looks for every acknowledged record, and verifies files and indexes.",
      "",
      "Exit code 0 only if nothing was lost, every answer was right and verify found nothing."
    },
    footer = {
      "  loam demo",
      "  loam demo --kills 5 --json",
      "  loam demo --directory /var/tmp/demo --keep"
    })
public final class DemoCommand implements Callable<Integer> {
  /** The database, its log and the records, each in the old and a new version. */
  private static final long NEEDED_BYTES = 2L << 30;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private SourceOptions source = new SourceOptions();

  @Option(names = "--records", paramLabel = "<n>", description = "Ingest at most so many records.")
  private int maxRecords = Integer.MAX_VALUE;

  @Option(
      names = "--kills",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "How often to kill and recover. Default: ${DEFAULT-VALUE}.")
  private int kills = 1;

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      defaultValue = "42",
      description =
          "Of the choice of keys and of the moment of the kill. Default:" + " ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--directory",
      paramLabel = "<path>",
      description = "Where to put the database: an empty or new directory.")
  private @Nullable Path directory;

  @Option(names = "--keep", description = "Leave the directory when done.")
  private boolean keep;

  @Option(names = "--json", description = "Print a JSON document instead of text.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    if (kills < 0 || kills > 1000) {
      throw usage("--kills = " + kills + ", rule: 0 to 1000");
    }
    if (maxRecords < 1000) {
      throw usage("--records = " + maxRecords + ", rule: at least 1000");
    }
    try (WorkDirectory work = WorkDirectory.create(directory, "demo", keep)) {
      work.requireFreeBytes(NEEDED_BYTES);
      DemoReport report = run(work.path());
      PrintWriter out = command().commandLine().getOut();
      out.print(json ? Json.document(report) + System.lineSeparator() : DemoText.of(report));
      out.flush();
      return report.isClean() ? ExitCode.OK : ExitCode.FAILED;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DemoReport run(Path work) throws IOException, InterruptedException {
    long startNanos = System.nanoTime();
    RecordSource records = source.choose();
    Progress.say("source: " + records.description());
    Path spoolPath = work.resolve("records");
    Spool.fill(spoolPath, records, maxRecords);
    try (Spool spool = Spool.open(spoolPath)) {
      if (spool.count() < 1000) {
        throw CommandException.environment(
            "the source has only " + spool.count() + " records; choose another with --source tpch");
      }
      DemoRun run = new DemoRun(work, spoolPath, spool, records.shape(), seed);
      run.ingest();
      run.verify();
      for (int kill = 0; kill < kills; kill++) {
        run.killAndCompare();
        run.verify();
      }
      return run.report(
          records.description(), keep ? work.toString() : null, System.nanoTime() - startNanos);
    } finally {
      Files.deleteIfExists(spoolPath);
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(command().commandLine(), message);
  }

  private CommandSpec command() {
    if (spec == null) {
      throw new AssertionError("runs only as a command");
    }
    return spec;
  }
}
