package org.loam.dashboard.feed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.loam.tuner.cost.ReadClass;
import org.loam.tuner.cost.ReadSample;
import org.loam.tuner.history.HistoryEntry;
import org.loam.tuner.policy.Decision;

/** What the history of the memory tuner says of one opening of the engine: a point each cycle. */
final class Cycles {
  private Cycles() {}

  /** The entries of the last opening that a history has: cycles are counted from each on. */
  static List<HistoryEntry> ofLastOpening(List<HistoryEntry> all) {
    int first = Math.max(0, all.size() - 1);
    while (first > 0 && isBefore(all.get(first - 1), all.get(first))) {
      first--;
    }
    return all.subList(first, all.size());
  }

  private static boolean isBefore(HistoryEntry one, HistoryEntry next) {
    return one.cycle() < next.cycle() && one.atMillis() <= next.atMillis();
  }

  /**
   * The entries of the opening that statistics are of, up to the decision that they have.
   *
   * @param last decision of the statistics, missing if there is none
   */
  static List<HistoryEntry> upTo(JsonNode last, List<HistoryEntry> all) {
    List<HistoryEntry> opening = ofLastOpening(all);
    for (int i = 0; i < opening.size(); i++) {
      HistoryEntry entry = opening.get(i);
      if (entry.cycle() == last.path("cycle").asLong()
          && entry.decision().estimate().cost() == last.path("cost").asDouble()) {
        return opening.subList(0, i + 1);
      }
    }
    return List.of();
  }

  /** The decision of an entry, for the page. */
  static ObjectNode decision(HistoryEntry entry) {
    Decision decision = entry.decision();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("cycle", entry.cycle());
    json.put("at", entry.atMillis() / 1000.0);
    json.put("fromBytes", decision.fromBytes());
    json.put("wantedBytes", decision.wantedBytes());
    json.put("toBytes", decision.toBytes());
    json.put("meaning", decision.rule().meaning());
    json.put("origin", decision.origin().name());
    json.put("unit", entry.unit());
    json.put("cost", decision.estimate().cost());
    json.put("predictedGain", decision.estimate().predictedGain());
    Decision.Outcome outcome = decision.lastMove();
    if (outcome != null) {
      json.put("lastPredicted", outcome.predictedGain());
      json.put("lastObserved", outcome.observedGain());
    }
    return json;
  }

  /** The last decision of the tuner of some statistics, for the page. */
  static ObjectNode decision(JsonNode tuner, double atSeconds) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("at", Math.round(atSeconds * 1000) / 1000.0);
    for (String name :
        new String[] {
          "cycle", "fromBytes", "wantedBytes", "toBytes", "meaning", "cost", "predictedGain"
        }) {
      json.set(name, tuner.path("last").path(name));
    }
    json.set("unit", tuner.path("unit"));
    JsonNode outcome = tuner.path("lastMove");
    if (outcome.isObject()) {
      json.set("lastPredicted", outcome.path("predictedGain"));
      json.set("lastObserved", outcome.path("observedGain"));
    }
    return json;
  }

  /** How long a cycle was; 0 if that is not known, as of the oldest entry that was kept. */
  private static double seconds(@Nullable HistoryEntry before, HistoryEntry entry) {
    long nanos = entry.inputs().times().processors().elapsedNanos();
    if (nanos > 0) {
      return nanos / 1e9;
    }
    if (before == null && entry.cycle() > 1) {
      return 0;
    }
    return (entry.atMillis() - (before == null ? 0 : before.atMillis())) / 1000.0;
  }

  /**
   * How memory is divided from an entry on, and what the entry counted, as series like those of
   * {@link Points}.
   *
   * @param before the entry before it; null if it is the first
   */
  static ObjectNode point(@Nullable HistoryEntry before, HistoryEntry entry) {
    ObjectNode series = JsonNodeFactory.instance.objectNode();
    // From then on: a move takes a moment of a cycle.
    long write = entry.decision().toBytes();
    series.put("writeBytes", write);
    series.put("cacheBytes", entry.memory().totalBytes() - write);
    double seconds = seconds(before, entry);
    if (seconds > 0) {
      HistoryEntry.Inputs inputs = entry.inputs();
      HistoryEntry.Moved moved = inputs.moved();
      long flushed = moved.flushedForMemoryBytes() + moved.flushedForLogBytes();
      series.put("flushedBytes", Math.round(flushed / seconds));
      series.put("mergedBytes", Math.round(moved.mergedBytes() / seconds));
      series.put("loggedBytes", Math.round(moved.logBytes() / seconds));
      for (Map.Entry<ReadClass, ReadSample> read : inputs.reads().entrySet()) {
        String access = read.getKey().name().toUpperCase(Locale.ROOT);
        ReadSample pages = read.getValue();
        long hits = Math.max(0, pages.pins() - pages.requests());
        series.put("hits." + access, Math.round(hits / seconds));
        series.put("misses." + access, Math.round(pages.missedPages() / seconds));
        series.put("ghost." + access, Math.round(pages.savedPages() / seconds));
      }
    }
    return Points.point(entry.atMillis() / 1000.0, series);
  }
}
