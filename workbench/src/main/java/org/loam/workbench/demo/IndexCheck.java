package org.loam.workbench.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.loam.common.key.KeyBuilder;
import org.loam.engine.IndexQuery;
import org.loam.engine.json.JsonCursor;
import org.loam.workbench.demo.Answers.Shown;
import org.loam.workbench.demo.Answers.Way;
import org.loam.workbench.demo.ExpectedIndex.Row;

/** Queries the indexes and compares each answer with the model, which must stay as it is. */
final class IndexCheck {
  /** Where queries are cut off; half of all packages depend on the C library. */
  private static final int MAX_RECORDS = 200;

  private static final int RANGE_ROWS = 50;

  private final DemoDatabase database;
  private final Answers answers;
  private final SplittableRandom random;
  private final Map<IndexKind, ExpectedIndex> model = new EnumMap<>(IndexKind.class);

  IndexCheck(DemoDatabase database, Expected expected, Answers answers, SplittableRandom random) {
    this.database = database;
    this.answers = answers;
    this.random = random;
    for (IndexKind kind : IndexKind.values()) {
      model.put(kind, ExpectedIndex.of(kind, expected));
    }
  }

  /** So many queries of each kind: one key, a range forth and back, and the first part of a key. */
  void queries(int count) {
    model.forEach(
        (kind, index) -> {
          for (int i = 0; i < count; i++) {
            oneKey(kind, index);
            range(kind, index);
            if (kind == IndexKind.COMPOSITE) {
              firstPart(index);
            }
          }
        });
  }

  private void oneKey(IndexKind kind, ExpectedIndex index) {
    IndexKind.Key key = index.rows().get(random.nextInt(index.rows().size())).key();
    bothWays(kind, kind + " " + key, IndexQuery.equal(kind.bytes(key)), index.between(key, key));
  }

  private void range(IndexKind kind, ExpectedIndex index) {
    int at = random.nextInt(index.rows().size());
    IndexKind.Key from = index.rows().get(at).key();
    IndexKind.Key through =
        index.rows().get(Math.min(index.rows().size() - 1, at + RANGE_ROWS)).key();
    bothWays(
        kind,
        kind + " from " + from + " through " + through,
        IndexQuery.all().from(kind.bytes(from)).through(kind.bytes(through)),
        index.between(from, through));
  }

  /** A group: its largest numbers first, or, in reverse, its smallest. */
  private void firstPart(ExpectedIndex index) {
    String text = index.rows().get(random.nextInt(index.rows().size())).key().text();
    byte[] beginning = new KeyBuilder().add(text).toBytes();
    bothWays(
        IndexKind.COMPOSITE, "group " + text, IndexQuery.equal(beginning), index.withText(text));
  }

  private void bothWays(IndexKind kind, String what, IndexQuery query, List<Row> rows) {
    compare(kind, what, query, rows);
    List<Row> reversed =
        new ArrayList<>(rows.subList(Math.max(0, rows.size() - MAX_RECORDS), rows.size()));
    Collections.reverse(reversed);
    compare(kind, what + ", in reverse", query.reverse(), reversed);
  }

  private void compare(IndexKind kind, String what, IndexQuery query, List<Row> rows) {
    try (JsonCursor cursor = database.query(kind, query.limit(MAX_RECORDS))) {
      answers.compare(
          Way.INDEX,
          what,
          Shown.by(cursor),
          rows.stream().limit(MAX_RECORDS).map(Row::entry).iterator());
    }
  }
}
