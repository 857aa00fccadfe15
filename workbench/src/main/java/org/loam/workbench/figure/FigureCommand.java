package org.loam.workbench.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.MeasureOptions;
import org.loam.workbench.bench.RecordOptions;
import org.loam.workbench.bench.Subject;
import org.loam.workbench.bench.latency.LatencyReport;
import org.loam.workbench.bench.latency.LatencyRounds;
import org.loam.workbench.bench.latency.LatencyRun;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.bench.latency.PageOptions;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Machine;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.WorkDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code loam figure}: a figure of a paper, measured again beside what the paper claims. */
@Command(
    name = "figure",
    description = {
      "Measures a figure of a paper again and checks what the paper says about it.",
      "",
      "Each claim is an order or a ratio of two series, never an absolute number. The exit code"
          + " is 0 only if all claims hold. Without --full the figure is scaled down to less than"
          + " 20 minutes, and the report states the scale: records, memory, and seconds of a phase,"
          + " which options may change. There is one round. After several, the medians of the"
          + " rounds are compared. Without a name all figures are listed."
    },
    footer = {
      "  loam figure",
      "  loam figure stability-9 --html figure.html",
      "  loam figure stability-9 --full --json > figure.json"
    })
public final class FigureCommand implements Callable<Integer> {
  private static final int MOST_SECONDS = 86_400;

  /** A larger part of the data in memory is worth a note. */
  private static final double MOST_SHARE = 1.1;

  @Mixin private RecordOptions options = new RecordOptions();
  @Mixin private PageOptions page = new PageOptions();

  @Parameters(arity = "0..1", paramLabel = "<figure>", description = "Name of the figure.")
  private @Nullable String id;

  @Option(names = "--full", description = "Measure at the paper's size, which takes many hours.")
  private boolean full;

  @Override
  public Integer call() {
    if (id == null) {
      list();
      return ExitCode.OK;
    }
    Figure figure = figure(id);
    LatencySpec usual = figure.spec(full, options.seed());
    LatencySpec spec = sized(usual);
    int rounds = options.rounds(1);
    page.requireWritable();
    try (WorkDirectory work = options.workDirectory("figure", List.of(spec.data()))) {
      List<String> notes = new ArrayList<>();
      noteProportion(usual.data(), spec.data(), notes);
      FigureReport report = measure(figure, spec, rounds, work, notes);
      page.write(report);
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

  /** The memory goes with the records, if it was not asked for. */
  private LatencySpec sized(LatencySpec spec) {
    DataSize usual = spec.data();
    long memoryBytes =
        Math.max(64L << 20, (long) (usual.memoryBytes() * options.recordShare(usual)));
    DataSize data = options.sized(new DataSize(usual.records(), usual.valueBytes(), memoryBytes));
    long millis = options.phaseMillis(spec.phaseMillis(), MOST_SECONDS);
    return spec.with(data).with(spec.phases().lasting(millis));
  }

  /** An engine takes no less than some memory, so that few records are another measurement. */
  static void noteProportion(DataSize usual, DataSize data, List<String> notes) {
    double share = (double) data.memoryBytes() / data.dataBytes();
    double usualShare = (double) usual.memoryBytes() / usual.dataBytes();
    if (share > MOST_SHARE * usualShare) {
      notes.add(
          String.format(
              Locale.ROOT,
              "the memory is %.2f of the data, at the usual size of the figure %.2f: where much of"
                  + " the data fits into write memory, the paper's claims need not hold",
              share,
              usualShare));
    }
  }

  private FigureReport measure(
      Figure figure, LatencySpec spec, int rounds, WorkDirectory work, List<String> notes) {
    ClaimFile claims = ClaimFile.ofFigure(figure.id());
    LatencyRounds measured = new LatencyRounds();
    Subject subject = new Subject(spec.subject().peer(), work.path().toString(), Map.of());
    try (Progress progress =
        Progress.start("figure " + figure.id(), (long) rounds * figure.seriesCount())) {
      for (int round = 1; round <= rounds; round++) {
        figure
            .measure(spec.with(subject), LatencyRun.suffix(round, rounds), notes, progress)
            .forEach(measured::add);
      }
    }
    return FigureReport.of(
        FigureReport.About.of(figure.id(), figure.scale(spec), claims),
        claims,
        LatencyReport.of(
            spec,
            measured,
            MeasureOptions.notes(notes, rounds),
            page.origin(),
            Machine.of(work.path())));
  }
}
