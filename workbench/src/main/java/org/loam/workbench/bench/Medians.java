package org.loam.workbench.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.loam.workbench.peer.Peer;

/**
 * Makes the report out of the rows of all rounds. An engine's row is that of its median round by
 * throughput, whole, so that its figures belong together; of an even number, the lower one.
 */
final class Medians {
  private Medians() {}

  /** One row per subject and engine, in order of first appearance, with ratios on Loam's rows. */
  static List<Row> of(List<Row> rows) {
    Map<Row.Subject, Map<String, List<Row>>> groups = new LinkedHashMap<>();
    for (Row row : rows) {
      groups
          .computeIfAbsent(row.subject(), subject -> new LinkedHashMap<>())
          .computeIfAbsent(row.engine(), engine -> new ArrayList<>())
          .add(row);
    }
    List<Row> result = new ArrayList<>();
    for (Map<String, List<Row>> engines : groups.values()) {
      Map<String, Row> medians = new LinkedHashMap<>();
      engines.forEach((engine, all) -> medians.put(engine, median(all)));
      Row rival = medians.get(Peer.ROCKSDB.id());
      for (Row row : medians.values()) {
        if (row.engine().equals(Peer.LOAM.id()) && rival != null) {
          result.add(row.withRatio(ratio(row.opsPerSecond(), rival.opsPerSecond())));
        } else {
          result.add(row);
        }
      }
    }
    return result;
  }

  private static double ratio(double ours, double theirs) {
    return Math.round(ours / theirs * 1000) / 1000.0;
  }

  private static Row median(List<Row> rows) {
    List<Row> sorted = new ArrayList<>(rows);
    sorted.sort(Comparator.comparingDouble(Row::opsPerSecond));
    return sorted.get((sorted.size() - 1) / 2);
  }
}
