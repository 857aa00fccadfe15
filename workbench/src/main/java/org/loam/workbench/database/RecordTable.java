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
  private final List<JsonNode> page = new ArrayList<>();
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
    page.add(JsonText.parse(record));
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
      widths = columns.stream().mapToInt(RecordTable::width).toArray();
    }
    List<List<String>> rows = page.stream().map(this::row).toList();
    rows.forEach(this::widen);
    if (first && !columns.isEmpty()) {
      print(columns);
      print(Arrays.stream(widths).mapToObj("-"::repeat).toList());
    }
    rows.forEach(this::print);
    count += rows.size();
    page.clear();
    return !out.checkError();
  }

  private Set<String> fields() {
    Set<String> fields = new LinkedHashSet<>();
    page.forEach(record -> record.fieldNames().forEachRemaining(fields::add));
    return fields;
  }

  private List<String> row(JsonNode record) {
    if (select.isEmpty()) {
      record.fieldNames().forEachRemaining(leftOut::add);
      columns.forEach(leftOut::remove);
      return columns.stream().map(name -> cell(record.path(name))).toList();
    }
    return select.values().stream().map(path -> cell(JsonText.at(path, record))).toList();
  }

  private static String cell(JsonNode value) {
    if (value.isMissingNode()) {
      return "";
    }
    String text = value.isTextual() ? value.textValue() : JsonText.line(value);
    return text.replaceAll("\\p{Cntrl}", " ");
  }

  private void widen(List<String> row) {
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], width(row.get(i)));
    }
  }

  private static int width(String cell) {
    return Math.min(MAX_WIDTH, cell.codePointCount(0, cell.length()));
  }

  private void print(List<String> row) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      if (cell.codePointCount(0, cell.length()) > widths[i]) {
        cell = cell.substring(0, cell.offsetByCodePoints(0, widths[i] - 1)) + "…";
      }
      line.append(i == 0 ? "" : GAP).append(cell).append(" ".repeat(widths[i] - width(cell)));
    }
    out.println(line.toString().stripTrailing());
  }
}
