package org.loam.workbench.database;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.engine.Engine;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code loam stats}: what a database holds. */
@Command(
    name = "stats",
    description = {
      "Shows what a database holds: datasets and their indexes, trees with their levels, memory by"
          + " use, log, cache and stalls by cause.",
      "",
      "What happened counts from the opening of the database, which this command does itself;"
          + " 'loam ingest --stats' shows what an ingest caused."
    },
    footer = {"  loam stats", "  loam stats --json --directory /var/lib/loam"})
public final class StatsCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private DatabaseOptions database = new DatabaseOptions();

  @Option(names = "--json", description = "Print a JSON document instead of text.")
  private boolean json;

  @Override
  public Integer call() {
    try (Engine engine = database.open()) {
      StatsReport report = StatsReport.of(engine);
      PrintWriter out = Commands.out(spec);
      out.print(json ? Json.document(report) + System.lineSeparator() : report.text());
      out.flush();
    }
    return ExitCode.OK;
  }
}
