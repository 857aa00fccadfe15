package org.loam.workbench.demo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.loam.workbench.demo.Expected.Entry;

/** What an index must hold at one moment: rows by key, and records of one key by their own. */
final class ExpectedIndex {
  private final Comparator<IndexKind.Key> order;
  private final List<Row> rows = new ArrayList<>();

  /** An entry of the index and the record that it leads to. */
  record Row(IndexKind.Key key, Entry entry) {}

  private ExpectedIndex(Comparator<IndexKind.Key> order) {
    this.order = order;
  }

  static ExpectedIndex of(IndexKind kind, Expected expected) {
    ExpectedIndex index = new ExpectedIndex(kind.order());
    for (Entry entry : expected.entries().values()) {
      kind.keys(entry.values()).forEach(key -> index.rows.add(new Row(key, entry)));
    }
    // Stable: of one key, records stay in the order of theirs.
    index.rows.sort(Comparator.comparing(Row::key, index.order));
    return index;
  }

  /** All of it, in order. */
  List<Row> rows() {
    return rows;
  }

  /** The rows from a key through another. */
  List<Row> between(IndexKind.Key from, IndexKind.Key through) {
    int first = firstThat(row -> order.compare(row.key(), from) >= 0);
    int end = firstThat(row -> order.compare(row.key(), through) > 0);
    return rows.subList(first, end);
  }

  /** The rows of a text, whatever their numbers. */
  List<Row> withText(String text) {
    int first = firstThat(row -> row.key().text().compareTo(text) >= 0);
    int end = firstThat(row -> row.key().text().compareTo(text) > 0);
    return rows.subList(first, end);
  }

  /** The text that most rows have. */
  String mostFrequentText() {
    String most = "";
    int mostCount = 0;
    int first = 0;
    while (first < rows.size()) {
      String text = rows.get(first).key().text();
      int count = withText(text).size();
      if (count > mostCount) {
        most = text;
        mostCount = count;
      }
      first += count;
    }
    return most;
  }

  /** By halving: rows of which it is not true come first. */
  private int firstThat(Predicate<Row> isTrue) {
    int low = 0;
    int high = rows.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isTrue.test(rows.get(middle))) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
