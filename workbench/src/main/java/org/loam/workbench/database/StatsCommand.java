package org.loam.workbench.database;

import java.util.concurrent.Callable;
import org.loam.engine.Engine;
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
      "Counters begin at the opening of the database, which this command does itself."
          + " 'loam ingest --stats' shows the counters of an ingest. The same is true of"
          + " flushes: this command shows those of the recovery, 'loam ingest --flushes' those"
          + " of an ingest. A program that has a database open asks Engine.flushChoices(), and a"
          + " node of AsterixDB answers at /admin/loam/flushes."
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
    try (Engine engine = database.open()) {
      StatsReport report = StatsReport.of(engine, flushes);
      options.print(report, report::text);
    }
    return ExitCode.OK;
  }
}
