package org.loam.workbench.database;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.loam.engine.json.JsonPath;

/** A line of JSON for each record: as it was written, or of chosen fields. */
final class JsonLines implements RecordPrinter {
  /** Between looks at whether the output is still read, for which it has to be flushed. */
  private static final int LOOK_EVERY = 100;

  private final PrintWriter out;
  private final List<JsonPath> select;
  private long count;

  /**
   * @param select fields to show, named by their paths; all if there are none
   */
  JsonLines(PrintWriter out, List<JsonPath> select) {
    this.out = out;
    this.select = select;
  }

  @Override
  public boolean print(byte[] record) {
    out.println(select.isEmpty() ? line(record) : line(JsonText.parse(record)));
    return ++count % LOOK_EVERY != 0 || !out.checkError();
  }

  /** A program may have written it on several lines: in JSON, a break is never in a text. */
  static String line(byte[] record) {
    return new String(record, StandardCharsets.UTF_8).replace('\n', ' ').replace('\r', ' ');
  }

  private String line(JsonNode record) {
    ObjectNode chosen = JsonText.NODES.objectNode();
    for (JsonPath path : select) {
      JsonNode value = JsonText.at(path, record);
      if (!value.isMissingNode()) {
        chosen.set(path.toString(), value);
      }
    }
    return JsonText.line(chosen);
  }

  @Override
  public void end() {
    out.flush();
  }
}
