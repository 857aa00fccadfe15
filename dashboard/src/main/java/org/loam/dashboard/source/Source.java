package org.loam.dashboard.source;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.tuner.history.HistoryEntry;

/** Where statistics come from. One thread at a time asks. */
public interface Source extends AutoCloseable {
  /**
   * What a source has now.
   *
   * @param statistics of the engine, as JSON, with its {@code health} beside them if that is known;
   *     null if no engine is open
   * @param state where they come from, or why there are none, in a sentence for the reader
   */
  record Reading(@Nullable JsonNode statistics, String state) {}

  /** What the page is about, such as a directory. */
  String title();

  /**
   * Asks for the statistics of now.
   *
   * @throws IOException if the engine cannot be reached; its message is for the reader
   */
  Reading read() throws IOException;

  /** The history of the memory tuner, oldest first; nothing if it is out of reach. */
  List<HistoryEntry> history();

  @Override
  void close();
}
