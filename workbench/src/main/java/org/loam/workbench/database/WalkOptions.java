package org.loam.workbench.database;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.loam.engine.json.JsonCursor;
import org.loam.engine.json.JsonDataset;
import org.loam.engine.json.JsonKeyCursor;
import org.loam.engine.json.JsonPath;
import org.loam.workbench.console.CommandException;
import picocli.CommandLine.Option;

/** In which order and form records are shown, and how many. */
final class WalkOptions {
  /** Forms of a record. */
  enum Format {
    JSON,
    TABLE
  }

  @Option(names = "--reverse", description = "Show records in the opposite order.")
  private boolean reverse;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      description = "Show at most this number of records.")
  private long limit = Long.MAX_VALUE;

  @Option(
      names = "--select",
      split = ",",
      paramLabel = "<path>",
      description =
          "Show only these fields, comma-separated: id,address.city,lines[].article. A"
              + " field that a record lacks is left out.")
  private List<String> select = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "<form>",
      defaultValue = "json",
      description =
          "Form of the output: json (a line for each record) or table (columns; a value"
              + " is cut at 40 characters). Default: ${DEFAULT-VALUE}.")
  private Format format = Format.JSON;

  /** Shows the records of a range of keys. */
  void showRecords(JsonDataset dataset, KeyRange range, PrintWriter out) {
    show(dataset.scan(range.scan(reverse, requireLimit())), out);
  }

  /** Shows the records that an index has in a range of its keys. */
  void showRecords(JsonDataset dataset, String index, KeyRange range, PrintWriter out) {
    show(dataset.query(index, range.query(reverse, requireLimit())), out);
  }

  private void show(JsonCursor found, PrintWriter out) {
    try (JsonCursor records = found) {
      print(records::next, records::json, out);
    }
  }

  /** Shows records to the end, or to where a fault is. */
  void print(BooleanSupplier next, Supplier<byte[]> json, PrintWriter out) {
    RecordPrinter printer = printer(out);
    boolean more = true;
    try {
      while (more && next.getAsBoolean()) {
        more = printer.print(json.get());
      }
    } finally {
      printer.end();
    }
  }

  /** Shows the keys that an index has in a range, and those of their records. */
  void showKeys(JsonDataset dataset, String index, KeyRange range, PrintWriter out) {
    if (!select.isEmpty()) {
      throw CommandException.usage("--keys shows all values of both keys; leave --select out");
    }
    try (JsonKeyCursor entries = dataset.queryKeys(index, range.query(reverse, requireLimit()))) {
      print(entries::next, () -> JsonText.bytes(entries.values()), out);
    }
  }

  private RecordPrinter printer(PrintWriter out) {
    List<JsonPath> paths = select.stream().map(JsonPath::parse).toList();
    return format == Format.JSON ? new JsonLines(out, paths) : new RecordTable(out, paths);
  }

  private long requireLimit() {
    if (limit < 0) {
      throw CommandException.usage("--limit = " + limit + ", rule: at least 0");
    }
    return limit;
  }
}
