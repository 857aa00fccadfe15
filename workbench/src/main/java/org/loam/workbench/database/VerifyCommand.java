package org.loam.workbench.database;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.engine.Engine;
import org.loam.engine.json.JsonDataset;
import org.loam.engine.report.VerifyProgress;
import org.loam.engine.report.VerifyReport;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Progress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code loam verify}: every page, and every index against its records. */
@Command(
    name = "verify",
    description = {
      "Reads every page of a database from its files and checks it. Then it compares"
          + " the indexes of each dataset with its records, as of one moment. Opening the"
          + " database recovers what a crash left; apart from that, nothing is changed.",
      "",
      "It prints a line for each finding, with the remedy, and then what was checked."
          + " The exit code is 0 if nothing is wrong, else 1."
    },
    footer = {
      "  loam verify",
      "  loam verify --directory /srv/orders --memory 1GiB",
      "  loam verify --json | jq .findings"
    })
public final class VerifyCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private DatabaseOptions database = new DatabaseOptions();

  @Option(names = "--json", description = "Print the report as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    if (spec == null) {
      throw new AssertionError("runs only as a command");
    }
    PrintWriter out = spec.commandLine().getOut();
    VerifyReport report;
    try (Engine engine = database.open();
        Bar bar = new Bar()) {
      JsonDataset.openAll(engine);
      report = engine.verify(bar);
    }
    if (json) {
      out.println(Json.document(report));
    } else {
      VerifyText.print(report, out);
    }
    return report.isSound() ? ExitCode.OK : ExitCode.FAILED;
  }

  /** Shows the progress in kilobytes, from the first call on, which tells the total. */
  private static final class Bar implements VerifyProgress, AutoCloseable {
    private @Nullable Progress progress;
    private long shown;

    @Override
    public void at(String part, long doneBytes, long totalBytes) {
      Progress now = progress;
      if (now == null) {
        now = Progress.start("verify, KiB", totalBytes >> 10);
        progress = now;
      }
      now.step((doneBytes >> 10) - shown);
      shown = doneBytes >> 10;
    }

    @Override
    public void close() {
      if (progress != null) {
        progress.close();
      }
    }
  }
}
