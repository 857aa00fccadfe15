package org.loam.dashboard.feed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a point of the statistics of a moment: a number for each series. A count becomes what was
 * counted in a second, since the point before; so the first point has no such series.
 *
 * <table>
 * <caption>The series</caption>
 * <tr><td>writeBytes, targetBytes, writeUsedBytes, cacheBytes, cacheUsedBytes
 *     <td>how memory is divided
 * <tr><td>hits.CLASS, misses.CLASS, ghost.CLASS<td>pages a second, by class of access
 * <tr><td>memory.TREE, depth.TREE<td>write memory and depth of L0 of trees
 * <tr><td>flushedBytes, mergedBytes, loadedBytes, loggedBytes<td>a second
 * <tr><td>flushes, merges<td>installed in a second
 * <tr><td>openMerges<td>now
 * <tr><td>stall.CAUSE<td>milliseconds a second, of all writers together
 * <tr><td>readP50, readP99, readMax, writeP50, writeP99, writeMax<td>microseconds
 * </table>
 */
final class Points {
  /** Counters of background work, under the names of the series. */
  private static final List<String> WORK =
      List.of("flushedBytes", "mergedBytes", "loadedBytes", "flushes", "merges");

  private static final double NANOS = 1e9;
  private static final int SHOWN_TREES = 8;

  /** A point has these only once there is something. */
  private static final String OTHERS = "other trees";

  private final ShownTrees byMemory = new ShownTrees(SHOWN_TREES);
  private final ShownTrees byDepth = new ShownTrees(SHOWN_TREES);
  private @Nullable JsonNode before;

  /** Of two looks that are far apart the difference says little. */
  void forgetLast() {
    before = null;
  }

  /** When statistics are of, in seconds since the engine was opened. */
  static double seconds(JsonNode statistics) {
    return statistics.at("/times/sinceOpenNanos").asLong() / NANOS;
  }

  /** The point of some statistics. */
  ObjectNode next(JsonNode statistics) {
    ObjectNode series = JsonNodeFactory.instance.objectNode();
    memory(series, statistics.path("memory"));
    trees(series, statistics.path("trees"));
    series.put("openMerges", statistics.path("work").path("openMerges").asLong());
    JsonNode last = before;
    if (last != null) {
      rates(series, last, statistics);
    }
    before = statistics;
    return point(seconds(statistics), series);
  }

  static ObjectNode point(double seconds, ObjectNode series) {
    ObjectNode point = JsonNodeFactory.instance.objectNode();
    point.put("at", Math.round(seconds * 1000) / 1000.0);
    point.set("series", series);
    return point;
  }

  private static void memory(ObjectNode series, JsonNode memory) {
    series.put("writeBytes", memory.at("/tuner/writeBytes").asLong());
    series.put("targetBytes", memory.at("/tuner/targetBytes").asLong());
    series.put("writeUsedBytes", memory.path("writeUsedBytes").asLong());
    series.put("cacheBytes", memory.path("cacheTargetBytes").asLong());
    series.put("cacheUsedBytes", memory.path("cacheUsedBytes").asLong());
  }

  private void trees(ObjectNode series, JsonNode trees) {
    Map<String, Long> memory = new HashMap<>();
    Map<String, Long> depth = new HashMap<>();
    for (JsonNode tree : trees) {
      String name = tree.path("name").asText();
      memory.put(name, tree.path("memoryBytes").asLong());
      depth.put(name, tree.path("l0").path("depth").asLong());
    }
    Set<String> shown = byMemory.of(memory);
    long others = 0;
    for (Map.Entry<String, Long> tree : memory.entrySet()) {
      if (shown.contains(tree.getKey())) {
        series.put("memory." + tree.getKey(), tree.getValue());
      } else {
        others += tree.getValue();
      }
    }
    if (memory.size() > shown.size()) {
      series.put("memory." + OTHERS, others);
    }
    for (String tree : byDepth.of(depth)) {
      series.put("depth." + tree, depth.get(tree));
    }
  }

  private static void rates(ObjectNode series, JsonNode last, JsonNode now) {
    double passed = seconds(now) - seconds(last);
    if (passed <= 0) {
      return;
    }
    for (Iterator<String> names = now.at("/cache/hits").fieldNames(); names.hasNext(); ) {
      String access = names.next();
      rate(series, "hits." + access, last, now, "/cache/hits/" + access, passed);
      rate(series, "misses." + access, last, now, "/cache/misses/" + access, passed);
      rate(series, "ghost." + access, last, now, "/memory/tuner/ghostHits/" + access, passed);
    }
    JsonNode workBefore = last.path("work");
    JsonNode work = now.path("work");
    for (String counter : WORK) {
      rate(series, counter, workBefore, work, "/" + counter, passed);
    }
    rate(series, "loggedBytes", last, now, "/log/writtenBytes", passed);
    for (Iterator<String> names = now.at("/stalls/totals").fieldNames(); names.hasNext(); ) {
      String cause = names.next();
      String nanos = "/stalls/totals/" + cause + "/nanos";
      rate(series, "stall." + cause, last, now, nanos, passed * 1e6);
    }
    latencies(series, "read", last.at("/times/reads"), now.at("/times/reads"));
    latencies(series, "write", last.at("/times/writes"), now.at("/times/writes"));
  }

  private static void rate(
      ObjectNode series, String name, JsonNode last, JsonNode now, String path, double passed) {
    double rate = Math.max(0, now.at(path).asLong() - last.at(path).asLong()) / passed;
    series.put(name, Math.round(rate * 100) / 100.0);
  }

  private static void latencies(ObjectNode series, String what, JsonNode last, JsonNode now) {
    Quantiles since = Quantiles.of(now).since(Quantiles.of(last));
    if (!since.isEmpty()) {
      series.put(what + "P50", since.nanos(0.5) / 1e3);
      series.put(what + "P99", since.nanos(0.99) / 1e3);
      series.put(what + "Max", since.nanos(1) / 1e3);
    }
  }
}
