package org.loam.workbench.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.engine.Engine;
import org.loam.engine.json.JsonDataset;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Progress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code loam ingest}: takes the records of a file into a dataset. */
@Command(
    name = "ingest",
    description = {
      "Writes records from a file into a dataset: a JSON object on each line, or a"
          + " row of CSV. A record replaces an existing one with the same key. With --key,"
          + " the command creates the dataset and the database if they do not exist. If no"
          + " record was written in the end, it drops the dataset that it has created. The"
          + " file may be larger than the memory.",
      "",
      "The first row of a CSV file has the names of the fields. A cell that looks"
          + " like a number, or is true, false or null, is one; every other cell is a text."
          + " An empty cell means that the record lacks the field.",
      "",
      "Records are written in batches. A written batch survives loss of power. The"
          + " exit code is 1 if the command stopped at a line that is not a record, or had"
          + " to skip every line."
    },
    footer = {
      "  loam ingest orders.jsonl --dataset orders --key id --index city=address.city",
      "  loam ingest prices.csv --dataset prices --text postcode --on-error skip",
      "  zcat orders.jsonl.gz | loam ingest - --dataset orders"
    })
public final class IngestCommand implements Callable<Integer> {
  /** Forms of the input. */
  enum Format {
    JSON,
    CSV
  }

  /** What to do about what is no record. */
  enum OnError {
    STOP,
    SKIP
  }

  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "<file>", description = "The file; - means standard input.")
  private String file = "-";

  @Mixin private DatasetOptions target = new DatasetOptions();
  @Mixin private ShapeOptions shape = new ShapeOptions();

  @Option(
      names = "--format",
      paramLabel = "<form>",
      description =
          "Form of the file: json (a record on each line) or csv. Default: csv if the"
              + " name ends with .csv, else json.")
  private @Nullable Format format;

  @Option(
      names = "--text",
      split = ",",
      paramLabel = "<field>",
      description =
          "CSV fields that are texts, comma-separated: whatever they look like, and even"
              + " if they are empty.")
  private List<String> texts = new ArrayList<>();

  @Option(
      names = "--on-error",
      paramLabel = "<what>",
      defaultValue = "stop",
      description =
          "What to do with a line that is not a record: stop, after all lines before it"
              + " are written; or skip it and count it. Default: ${DEFAULT-VALUE}.")
  private OnError onError = OnError.STOP;

  @Option(
      names = "--stats",
      description = "Also show what 'loam stats' shows, with the effects of this ingest.")
  private boolean stats;

  @Option(
      names = "--flushes",
      description =
          "Also show what 'loam stats --flushes' shows: what this ingest had flushed, and why.")
  private boolean flushes;

  @Option(names = "--json", description = "Print the report as a JSON document.")
  private boolean json;

  @Override
  public Integer call() {
    if (!texts.isEmpty() && format() != Format.CSV) {
      throw new ParameterException(Commands.line(spec), "--text is for CSV only");
    }
    try (InputStream in = input()) {
      IngestReport report = ingest(in);
      PrintWriter out = Commands.out(spec);
      out.print(json ? Json.document(report) + System.lineSeparator() : report.text());
      out.flush();
      requireRecords(report);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ExitCode.OK;
  }

  private IngestReport ingest(InputStream in) throws IOException {
    requirePossible();
    CountingStream counted = new CountingStream(in);
    // Before anything is made: it may refuse the input.
    RecordReader reader = reader(counted);
    try (Engine engine = target.database().openOrCreate();
        Progress progress = Progress.startBytes("ingest", inputBytes())) {
      boolean isNew = shape.hasKey() && !engine.datasets().has(target.name());
      JsonDataset dataset = isNew ? shape.create(engine, target.name()) : existing(engine);
      long[] shown = {0};
      Runnable step =
          () -> {
            progress.step(counted.count() - shown[0]);
            shown[0] = counted.count();
          };
      Ingest ingest = new Ingest(engine, dataset, onError == OnError.SKIP, step);
      try {
        IngestReport report = ingest.run(reader);
        if (isNew && report.records() == 0) {
          engine.datasets().drop(target.name());
        }
        return stats || flushes ? report.with(StatsReport.of(engine, flushes)) : report;
      } catch (RuntimeException | Error e) {
        if (isNew && ingest.records() == 0) {
          drop(engine, e);
        }
        throw e;
      }
    }
  }

  private static void requireRecords(IngestReport report) {
    if (report.isAllSkipped()) {
      throw CommandException.failed(
          "no record is in; skipped: "
              + report.skipped()
              + "; correct the input, or --key and --index");
    }
  }

  /** A key or an index that fits no record is not to stay: it would refuse the correct one. */
  private void drop(Engine engine, Throwable because) {
    try {
      engine.datasets().drop(target.name());
    } catch (RuntimeException e) {
      because.addSuppressed(e);
    }
  }

  private RecordReader reader(InputStream in) throws IOException {
    if (format() == Format.JSON) {
      return new JsonLinesReader(in);
    }
    try {
      return new CsvReader(in, Set.copyOf(texts));
    } catch (BadRecordException e) {
      throw CommandException.failed("line " + e.line() + ": " + e.reason());
    }
  }

  private void requirePossible() {
    if (shape.hasKey()) {
      shape.requirePossible(target.name());
    } else {
      target.database().requireDatabase();
    }
  }

  private JsonDataset existing(Engine engine) {
    JsonDataset dataset = target.open(engine);
    shape.requireSame(dataset);
    return dataset;
  }

  private boolean isStandardInput() {
    return file.equals("-");
  }

  private Format format() {
    if (format != null) {
      return format;
    }
    return file.toLowerCase(Locale.ROOT).endsWith(".csv") ? Format.CSV : Format.JSON;
  }

  private InputStream input() throws IOException {
    if (isStandardInput()) {
      return System.in;
    }
    Path path = Path.of(file);
    if (!Files.isReadable(path) || Files.isDirectory(path)) {
      throw CommandException.environment(
          (Files.exists(path) ? "cannot read the file " : "there is no file ") + file);
    }
    return Files.newInputStream(path);
  }

  private long inputBytes() throws IOException {
    return isStandardInput() ? -1 : Files.size(Path.of(file));
  }
}
