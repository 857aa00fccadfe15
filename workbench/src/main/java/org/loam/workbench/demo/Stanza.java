package org.loam.workbench.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One paragraph of a Debian control file (deb822): lines {@code Name: value}, where a line that
 * begins with a blank continues the field above; paragraphs end at an empty line.
 *
 * @param fields by name in lower case, first lines only
 * @param text all of it, each line ended by a newline
 */
record Stanza(Map<String, String> fields, String text) {
  /**
   * The value of a field.
   *
   * @param name in lower case
   * @return the first line without blanks around it, or null if there is no such field
   */
  @Nullable String field(String name) {
    return fields.get(name);
  }

  /** Takes stanzas. */
  interface StanzaSink {
    void accept(Stanza stanza) throws IOException;
  }

  /** Reads all stanzas of a stream of UTF-8. */
  static void parse(InputStream in, StanzaSink sink) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    Map<String, String> fields = new HashMap<>();
    StringBuilder text = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isBlank()) {
        finish(fields, text, sink);
        continue;
      }
      text.append(line).append('\n');
      int colon = line.indexOf(':');
      if (colon > 0 && !Character.isWhitespace(line.charAt(0))) {
        fields.put(
            line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
      }
    }
    finish(fields, text, sink);
  }

  private static void finish(Map<String, String> fields, StringBuilder text, StanzaSink sink)
      throws IOException {
    if (!text.isEmpty()) {
      sink.accept(new Stanza(Map.copyOf(fields), text.toString()));
      fields.clear();
      text.setLength(0);
    }
  }
}
