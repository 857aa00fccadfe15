package org.loam.workbench.database;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.loam.common.key.Direction;
import org.loam.common.key.KeyBuilder;
import org.loam.engine.json.JsonDataset;
import org.loam.workbench.console.CommandException;

/**
 * Keys as the command line has them. A value is a number, true, false or null if it looks like one,
 * else a text; {@code "7"} in double quotes is a text for certain. The values of a key of several
 * parts are separated by commas; a text with a comma stands in double quotes. A key of one part is
 * the whole of what is given.
 */
final class KeyText {
  private KeyText() {}

  /** A record's key; null is a text. */
  static byte[] key(JsonDataset dataset, String text) {
    int parts = dataset.keyPaths().size();
    List<String> values = split(text, parts);
    if (values.size() != parts) {
      throw CommandException.usage(
          "key "
              + text
              + " has "
              + count(values.size())
              + ", the key of dataset '"
              + dataset.name()
              + "' has "
              + count(parts)
              + ": "
              + dataset.keyPaths());
    }
    return JsonDataset.key(ascending(parts), values.stream().map(KeyText::ofRecord).toList());
  }

  /** No record has null in its key, so null is a text there like any other. */
  private static JsonNode ofRecord(String value) {
    JsonNode node = JsonText.scalarOrQuoted(value);
    return node.isNull() ? JsonText.NODES.textNode(value) : node;
  }

  static List<Direction> ascending(int parts) {
    return Collections.nCopies(parts, Direction.ASCENDING);
  }

  /** The first parts of a key, or all of them. */
  static byte[] beginning(List<Direction> parts, String text) {
    return encode(parts, splitAtMost(text, parts.size()));
  }

  /** As {@link #beginning}, but of the last value, which is a text, only the beginning is known. */
  static byte[] textBeginning(List<Direction> parts, String text) {
    List<String> values = splitAtMost(text, parts.size());
    int last = values.size() - 1;
    byte[] first = encode(parts, values.subList(0, last));
    String value = values.get(last);
    JsonNode quoted = value.startsWith("\"") ? JsonText.scalarOrQuoted(value) : null;
    return new KeyBuilder()
        .addRaw(first, 0, first.length)
        .direction(parts.get(last))
        .addBeginning(quoted == null ? value : quoted.textValue())
        .toBytes();
  }

  private static byte[] encode(List<Direction> parts, List<String> values) {
    return JsonDataset.key(parts, values.stream().map(JsonText::scalarOrQuoted).toList());
  }

  private static List<String> splitAtMost(String text, int parts) {
    List<String> values = split(text, parts);
    if (values.size() > parts) {
      throw CommandException.usage(
          text + " has " + count(values.size()) + ", the key that it is for has " + count(parts));
    }
    return values;
  }

  private static String count(int parts) {
    return parts == 1 ? "1 part" : parts + " parts";
  }

  private static List<String> split(String text, int parts) {
    if (parts == 1) {
      return List.of(text);
    }
    List<String> values = new ArrayList<>();
    boolean quoted = false;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ',' && !quoted) {
        values.add(text.substring(start, i));
        start = i + 1;
      } else if (c == '"' && (quoted || i == start)) {
        quoted = !quoted;
      } else if (c == '\\' && quoted) {
        i++;
      }
    }
    values.add(text.substring(start));
    return values;
  }
}
