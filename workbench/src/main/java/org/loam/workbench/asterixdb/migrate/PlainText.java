package org.loam.workbench.asterixdb.migrate;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Json;

/** Records as AsterixDB prints them in its format {@code adm}. */
final class PlainText {
  private static final String INTERVAL = "interval(";

  private PlainText() {}

  /** The fields of a record that are intervals, or have one somewhere inside. */
  static Set<String> intervals(String record) {
    Set<String> found = new TreeSet<>();
    if (!record.contains(INTERVAL)) {
      return found;
    }
    String field = "";
    int depth = 0;
    for (int at = 0; at < record.length(); ) {
      char c = record.charAt(at);
      if (c == '"') {
        int end = endOfString(record, at);
        if (depth == 1 && record.startsWith(":", end)) {
          field = string(record.substring(at, end));
        }
        at = end;
        continue;
      }
      if (c == '{' || c == '[') {
        depth++;
      } else if (c == '}' || c == ']') {
        depth--;
      } else if (record.startsWith(INTERVAL, at)) {
        found.add(field);
      }
      at++;
    }
    return found;
  }

  /**
   * Where a string ends.
   *
   * @param begin of its first quotation mark
   * @return behind its last one
   */
  static int endOfString(String record, int begin) {
    for (int at = begin + 1; at < record.length(); at++) {
      if (record.charAt(at) == '\\') {
        at++;
      } else if (record.charAt(at) == '"') {
        return at + 1;
      }
    }
    throw unreadable(record.substring(begin));
  }

  /** What a string stands for. */
  static String string(String quoted) {
    if (quoted.indexOf('\\') < 0) {
      return quoted.substring(1, quoted.length() - 1);
    }
    try {
      return Json.exact().readTree(quoted).asText();
    } catch (JsonProcessingException e) {
      throw unreadable(quoted);
    }
  }

  /** As much of a record as a message has room for. */
  static String shortened(String record) {
    int most = 300;
    return record.length() <= most ? record : record.substring(0, most) + " ...";
  }

  /** What to throw if a dataset has what a move would change. */
  static CommandException unmovable(String dataset, String field, String why, String record) {
    return CommandException.failed(
        String.format(
            Locale.ROOT,
            "%s: a record cannot be moved, as its field %s %s. Nothing was loaded or dropped. The"
                + " record: %s",
            dataset,
            field,
            why,
            shortened(record)));
  }

  static CommandException unreadable(String text) {
    return CommandException.failed("AsterixDB printed what cannot be read: " + shortened(text));
  }
}
