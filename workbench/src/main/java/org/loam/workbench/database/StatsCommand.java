package org.loam.workbench.database;

import java.util.concurrent.Callable;
import org.loam.engine.Engine;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.ReportOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code loam stats}: what a database holds. */
@Command(
    name = "stats",
    description = {
      "Shows what a database holds: datasets and their indexes, trees with their"
          + " levels, memory by use, log, cache, and stalls by cause.",
      "",
      "Counters begin at the opening of the database, which this command does itself."
          + " 'loam ingest --stats' shows the counters of an ingest."
    },
    footer = {"  loam stats", "  loam stats --json --directory /var/lib/loam"})
public final class StatsCommand implements Callable<Integer> {
  @Mixin private ReportOptions options = new ReportOptions();
  @Mixin private DatabaseOptions database = new DatabaseOptions();

  @Override
  public Integer call() {
    try (Engine engine = database.open()) {
      StatsReport report = StatsReport.of(engine);
      options.print(report, report::text);
    }
    return ExitCode.OK;
  }
}
