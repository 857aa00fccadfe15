package org.loam.workbench.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One paragraph of a Debian control file (deb822): lines {@code Name: value}, where a line that
 * begins with a blank continues the field above; paragraphs end at an empty line.
 *
 * @param fields by name in lower case, in their order; lines of one value are joined by newlines,
 *     without blanks around them
 */
record Stanza(Map<String, String> fields) {
  /**
   * The value of a field.
   *
   * @param name in lower case
   * @return null if there is no such field
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
    Map<String, String> fields = new LinkedHashMap<>();
    String name = null;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isBlank()) {
        finish(fields, sink);
        fields = new LinkedHashMap<>();
        name = null;
      } else if (Character.isWhitespace(line.charAt(0))) {
        if (name != null) {
          fields.merge(name, line.strip(), (value, more) -> value + "\n" + more);
        }
      } else {
        int colon = line.indexOf(':');
        name = colon > 0 ? line.substring(0, colon).toLowerCase(Locale.ROOT) : null;
        if (name != null) {
          fields.put(name, line.substring(colon + 1).strip());
        }
      }
    }
    finish(fields, sink);
  }

  private static void finish(Map<String, String> fields, StanzaSink sink) throws IOException {
    if (!fields.isEmpty()) {
      sink.accept(new Stanza(Collections.unmodifiableMap(fields)));
    }
  }
}
