package org.loam.workbench.figure;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.latency.LatencyPage;
import org.loam.workbench.bench.latency.LatencyReport;
import org.loam.workbench.bench.latency.LatencyResult;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Machine;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.SourceCommit;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.console.WorkOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code loam figure}: a figure of a paper, measured again beside what the paper claims. */
@Command(
    name = "figure",
    description = {
      "Measures a figure of a paper again and checks what the paper says about it.",
      "",
      "Each claim is an order or a ratio of two series, never an absolute number. The exit code"
          + " is 0 only if all claims hold. Without --full the figure is scaled down to less than"
          + " 20 minutes, and the report states the scale. Without a name all figures are listed."
    },
    footer = {
      "  loam figure",
      "  loam figure stability-9 --html figure.html",
      "  loam figure stability-9 --full --json > figure.json"
    })
public final class FigureCommand implements Callable<Integer> {
  private static final int MILLIS = 1_000;

  @Mixin private WorkOptions options = new WorkOptions();
  @Spec private @Nullable CommandSpec command;

  @Parameters(arity = "0..1", paramLabel = "<figure>", description = "Name of the figure.")
  private @Nullable String id;

  @Option(names = "--full", description = "Measure at the paper's size, which takes many hours.")
  private boolean full;

  @Option(
      names = "--seconds",
      paramLabel = "<n>",
      description = "Seconds of each phase. Default: that of the figure.")
  private @Nullable Integer seconds;

  @Option(
      names = "--records",
      paramLabel = "<n>",
      description = "Number of records. Default: that of the figure; memory goes with it.")
  private @Nullable Long records;

  @Option(
      names = "--html",
      paramLabel = "<file>",
      description = "Also write a page with charts and claims; it needs no other file.")
  private @Nullable Path html;

  @Override
  public Integer call() {
    if (id == null) {
      list();
      return ExitCode.OK;
    }
    Figure figure = figure(id);
    LatencySpec spec = sized(figure.spec(full, options.seed()));
    if (html != null) {
      LatencyPage.requireWritable(html);
    }
    try (WorkDirectory work = options.workDirectory("figure", false)) {
      work.requireFreeBytes(4 * spec.data().dataBytes() + (2L << 30));
      FigureReport report = measure(figure, spec, work);
      if (html != null) {
        LatencyPage.write(html, report);
      }
      options.print(report, report::text);
      Progress.notes(report.measured().notes());
      return report.passed() ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private void list() {
    List<Map<String, String>> figures = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (Figure figure : Figures.ALL) {
      String title = ClaimFile.ofFigure(figure.id()).title();
      figures.add(Map.of("id", figure.id(), "title", title));
      text.append(figure.id()).append("  ").append(title).append(System.lineSeparator());
    }
    options.print(figures, text::toString);
  }

  private Figure figure(String name) {
    try {
      return Figures.of(name);
    } catch (IllegalArgumentException e) {
      throw options.usage(String.valueOf(e.getMessage()));
    }
  }

  private LatencySpec sized(LatencySpec spec) {
    long phaseMillis = spec.phaseMillis();
    if (seconds != null) {
      phaseMillis = (long) MILLIS * options.requireIn("--seconds", seconds, 1, 86_400);
    }
    DataSize data = spec.data();
    if (records != null) {
      double share = (double) records / data.records();
      long memoryBytes = Math.max(64L << 20, (long) (data.memoryBytes() * share));
      try {
        data = new DataSize(records, data.valueBytes(), memoryBytes);
      } catch (IllegalArgumentException e) {
        throw options.usage(String.valueOf(e.getMessage()));
      }
    }
    return new LatencySpec(
        spec.subject(),
        data,
        spec.trees(),
        spec.durability(),
        spec.traffic(),
        phaseMillis,
        spec.seed());
  }

  private FigureReport measure(Figure figure, LatencySpec spec, WorkDirectory work) {
    ClaimFile claims = ClaimFile.ofFigure(figure.id());
    List<String> notes = new ArrayList<>();
    List<LatencyResult> results;
    try (Progress progress = Progress.start("figure " + figure.id(), figure.seriesCount())) {
      LatencySpec.Subject subject =
          new LatencySpec.Subject(spec.subject().peer(), work.path().toString(), Map.of());
      results = figure.measure(spec.with(subject), notes, progress);
    }
    Map<String, Map<String, Double>> numbers = Numbers.of(results);
    return new FigureReport(
        FigureReport.About.of(figure.id(), figure.scale(spec), claims),
        numbers,
        claims.judge(numbers),
        new LatencyReport(
            spec,
            results,
            notes,
            new LatencyReport.Origin(
                commandText(),
                SourceCommit.find(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString()),
            Machine.of(work.path())));
  }

  private String commandText() {
    if (command == null) {
      throw new AssertionError("runs only as a command");
    }
    return "loam " + String.join(" ", command.root().commandLine().getParseResult().originalArgs());
  }
}
