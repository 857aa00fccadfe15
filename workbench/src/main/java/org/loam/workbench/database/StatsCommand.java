package org.loam.workbench.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.dashboard.source.AttachedEngine;
import org.loam.engine.Engine;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.ReportOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loam stats}: what a database holds. */
@Command(
    name = "stats",
    description = {
      "Shows what a database holds: datasets and their indexes, trees with their"
          + " levels, memory by use, log, cache, and stalls by cause.",
      "",
      "If another process of this user has the database open, its engine answers, by JMX, and"
          + " says what keeps it from its work, such as a fence. Otherwise this command opens the"
          + " database itself. Counters and flushes begin at the opening: 'loam ingest --stats"
          + " --flushes' shows those of an ingest. A node of AsterixDB answers"
          + " at /admin/loam and /admin/loam/flushes as well."
    },
    footer = {"  loam stats", "  loam stats --flushes --json --directory /var/lib/loam"})
public final class StatsCommand implements Callable<Integer> {
  @Mixin private ReportOptions options = new ReportOptions();
  @Mixin private DatabaseOptions database = new DatabaseOptions();

  @Option(
      names = "--flushes",
      description =
          "Also show the last 1,000 choices of memory to flush: range of the tree, size,"
              + " cause, the rule that chose it, and what there was to compare.")
  private boolean flushes;

  @Override
  public Integer call() {
    database.requireDatabase();
    StatsReport report = running();
    if (report == null) {
      try (Engine engine = database.open()) {
        report = StatsReport.of(engine, flushes);
      }
    }
    options.print(report, report::text);
    return ExitCode.OK;
  }

  /** That of another process; null if none has the database open. */
  private @Nullable StatsReport running() {
    try (AttachedEngine engine = database.attached()) {
      return engine == null ? null : StatsReport.of(engine, flushes);
    } catch (UncheckedIOException e) {
      throw CommandException.failed(
          "another version of Loam has "
              + database.directory()
              + " open; ask with the same version, or end that process");
    } catch (IOException e) {
      throw CommandException.environment(String.valueOf(e.getMessage()), e);
    }
  }
}
