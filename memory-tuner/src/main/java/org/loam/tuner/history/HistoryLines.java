package org.loam.tuner.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** An entry as a line of JSON, and where the lines are. */
final class HistoryLines {
  /** Later versions may say more. */
  private static final ObjectMapper JSON =
      new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);

  private HistoryLines() {}

  /** Where lines are after the file of the present ones was full. */
  static Path older(Path file) {
    return file.resolveSibling(file.getFileName() + ".old");
  }

  /** A line without its end. */
  static String line(HistoryEntry entry) {
    try {
      return JSON.writeValueAsString(entry);
    } catch (JsonProcessingException e) {
      throw new AssertionError("an entry of the tuner's history is always JSON: " + entry, e);
    }
  }

  /** The entry of a line; null if it is none, as a line that was not written to its end. */
  static @Nullable HistoryEntry parse(String line) {
    try {
      return JSON.readValue(line, HistoryEntry.class);
    } catch (JsonProcessingException e) {
      return null;
    }
  }
}
