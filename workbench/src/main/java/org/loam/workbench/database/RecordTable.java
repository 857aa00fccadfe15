package org.loam.workbench.database;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.loam.engine.json.JsonPath;
import org.loam.workbench.console.Progress;

/**
 * Records as rows under the names of their fields. Columns are as wide as the first page needs, and
 * may grow with a later one; a wide value is cut. Without a choice, the columns are the fields that
 * records of the first page have.
 */
final class RecordTable implements RecordPrinter {
  private static final int PAGE_ROWS = 100;
  private static final int MAX_WIDTH = 40;
  private static final String GAP = "  ";

  private final PrintWriter out;
  private final Map<String, JsonPath> select = new LinkedHashMap<>();

  /** Cells as they are shown, by column; a page of whole records may be more than the heap. */
  private final List<Map<String, String>> page = new ArrayList<>();

  private final Set<String> leftOut = new LinkedHashSet<>();
  private List<String> columns = List.of();
  private int[] widths = {};
  private long count;

  RecordTable(PrintWriter out, List<JsonPath> select) {
    this.out = out;
    select.forEach(path -> this.select.put(path.toString(), path));
  }

  @Override
  public boolean print(byte[] record) {
    page.add(row(JsonText.parse(record)));
    return page.size() < PAGE_ROWS || flush();
  }

  @Override
  public void end() {
    flush();
    out.println(count == 1 ? "(1 record)" : "(" + count + " records)");
    out.flush();
    if (!leftOut.isEmpty()) {
      Progress.say(
          "note: later records also have "
              + String.join(", ", leftOut)
              + "; choose columns with --select");
    }
  }

  private boolean flush() {
    boolean first = columns.isEmpty();
    if (first) {
      columns = List.copyOf(select.isEmpty() ? fields() : select.keySet());
      widths = columns.stream().mapToInt(column -> width(cut(column))).toArray();
    }
    leftOut.addAll(fields());
    columns.forEach(leftOut::remove);
    List<List<String>> rows =
        page.stream()
            .map(row -> columns.stream().map(column -> row.getOrDefault(column, "")).toList())
            .toList();
    rows.forEach(this::widen);
    if (first && !columns.isEmpty()) {
      print(columns.stream().map(RecordTable::cut).toList());
      print(Arrays.stream(widths).mapToObj("-"::repeat).toList());
    }
    rows.forEach(this::print);
    count += rows.size();
    page.clear();
    return !out.checkError();
  }

  private Set<String> fields() {
    Set<String> fields = new LinkedHashSet<>();
    page.forEach(row -> fields.addAll(row.keySet()));
    return fields;
  }

  private Map<String, String> row(JsonNode record) {
    Map<String, String> row = new LinkedHashMap<>();
    if (select.isEmpty()) {
      record.forEachEntry((field, value) -> row.put(field, cell(value)));
    } else {
      select.forEach((column, path) -> row.put(column, cell(JsonText.at(path, record))));
    }
    return row;
  }

  private static String cell(JsonNode value) {
    if (value.isMissingNode()) {
      return "";
    }
    String text = value.isTextual() ? value.textValue() : JsonText.line(value);
    return cut(text).replaceAll("\\p{Cntrl}", " ");
  }

  private static String cut(String text) {
    return width(text) <= MAX_WIDTH
        ? text
        : text.substring(0, text.offsetByCodePoints(0, MAX_WIDTH - 1)) + "…";
  }

  private void widen(List<String> row) {
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], width(row.get(i)));
    }
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }

  private void print(List<String> row) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      line.append(i == 0 ? "" : GAP).append(cell).append(" ".repeat(widths[i] - width(cell)));
    }
    out.println(line.toString().stripTrailing());
  }
}
