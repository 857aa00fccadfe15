package org.loam.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.loam.dashboard.source.Source;
import org.loam.tuner.history.HistoryEntry;

/** A source that has what a test gives it; when that is used up, the last again. */
public final class FakeSource implements Source {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Reading NO_HEAP = new Reading(json("'no heap'"), "planned");

  public final AtomicInteger reads = new AtomicInteger();
  public final AtomicInteger closes = new AtomicInteger();
  public final List<HistoryEntry> history = new ArrayList<>();
  private final ArrayDeque<Reading> readings = new ArrayDeque<>();

  /** Null is a reading that fails. */
  private Reading last = new Reading(null, "There is no engine.");

  /** JSON with apostrophes. */
  public static JsonNode json(String text) {
    try {
      return JSON.readTree(text.replace('\'', '"'));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  public synchronized FakeSource then(String statistics, String state) {
    readings.add(new Reading(statistics == null ? null : json(statistics), state));
    return this;
  }

  /** A look that finds nothing to reach. */
  public synchronized FakeSource thenLost(String message) {
    readings.add(new Reading(json("'lost'"), message));
    return this;
  }

  /** A look for which there is no heap. */
  public synchronized FakeSource thenNoHeap() {
    readings.add(NO_HEAP);
    return this;
  }

  @Override
  public String title() {
    return "/srv/fake";
  }

  @Override
  public synchronized Reading read() throws IOException {
    reads.incrementAndGet();
    if (!readings.isEmpty()) {
      last = readings.remove();
    }
    if (last.equals(NO_HEAP)) {
      throw new OutOfMemoryError(last.state());
    }
    if (last.statistics() != null && last.statistics().isTextual()) {
      throw new IOException(last.state());
    }
    return last;
  }

  @Override
  public List<HistoryEntry> history() {
    return history;
  }

  @Override
  public void close() {
    closes.incrementAndGet();
  }
}
