package org.loam.workbench.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.loam.engine.DatasetBatch;
import org.loam.engine.IndexQuery;
import org.loam.engine.json.JsonCursor;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.demo.Answers.Shown;
import org.loam.workbench.demo.Answers.Way;
import org.loam.workbench.demo.ExpectedIndex.Row;

/**
 * What people may want to know of the records. Each answer comes from an index, and is compared
 * with the model.
 *
 * @param element that most records have in the multi-valued index
 * @param having how many have it
 * @param someHaving the keys of the first of these
 * @param group that most records are of
 * @param largest of it, the largest first
 * @param move an update that moved an index entry
 */
record Showcase(
    @JsonProperty("element") String element,
    @JsonProperty("having") long having,
    @JsonProperty("someHaving") List<String> someHaving,
    @JsonProperty("group") String group,
    @JsonProperty("largest") List<Sized> largest,
    @JsonProperty("move") Move move) {
  private static final int SHOWN = 5;

  /** A record and its number. */
  record Sized(@JsonProperty("key") String key, @JsonProperty("number") long number) {}

  /**
   * A record whose text was changed, and whether the index found it.
   *
   * @param key of the record
   * @param from its text until then
   * @param to its text since then
   * @param before where it was found before the update
   * @param after where it was found after it
   */
  record Move(
      @JsonProperty("key") String key,
      @JsonProperty("from") String from,
      @JsonProperty("to") String to,
      @JsonProperty("before") Found before,
      @JsonProperty("after") Found after) {
    boolean isRight() {
      return before.equals(new Found(true, false)) && after.equals(new Found(false, true));
    }
  }

  /** Under which text an index finds a record. */
  record Found(
      @JsonProperty("underOld") boolean underOld, @JsonProperty("underNew") boolean underNew) {}

  /** Asks, and makes the update. */
  static Showcase of(DemoDatabase database, Expected expected, Answers answers) {
    return new Asking(database, expected, answers).all();
  }

  /** The questions. */
  private record Asking(DemoDatabase database, Expected expected, Answers answers) {
    Showcase all() {
      ExpectedIndex elements = ExpectedIndex.of(IndexKind.MANY, expected);
      String element = elements.mostFrequentText();
      List<byte[]> having = new ArrayList<>();
      long count =
          ask(
              IndexKind.MANY,
              IndexQuery.equal(textKey(element)),
              elements.withText(element),
              having);
      ExpectedIndex groups = ExpectedIndex.of(IndexKind.COMPOSITE, expected);
      String group = groups.mostFrequentText();
      List<byte[]> largest = new ArrayList<>();
      ask(
          IndexKind.COMPOSITE,
          IndexQuery.equal(textKey(group)).limit(SHOWN),
          groups.withText(group).stream().limit(SHOWN).toList(),
          largest);
      return new Showcase(
          element,
          count,
          having.stream().map(this::record).map(DemoRecord::key).toList(),
          group,
          largest.stream()
              .map(this::record)
              .map(record -> new Sized(record.key(), record.values().number()))
              .toList(),
          move());
    }

    /** The first record that its successor does not have yet. */
    private Move move() {
      String to = database.shape().successor();
      Expected.Entry entry =
          expected.entries().values().stream()
              .filter(one -> !one.values().text().equals(to))
              .findFirst()
              .orElseThrow(() -> CommandException.failed("all records are of " + to));
      String from = entry.values().text();
      byte[] bytes = database.get(entry.key());
      if (bytes == null) {
        throw CommandException.failed("record " + entry.key() + " is lost");
      }
      Found before = find(entry.key(), from, to);
      DemoRecord moved = record(bytes).handedTo(to);
      DatasetBatch batch = new DatasetBatch();
      database.put(batch, moved);
      database.write(batch);
      expected.put(moved);
      return new Move(entry.key(), from, to, before, find(entry.key(), from, to));
    }

    private Found find(String key, String from, String to) {
      ExpectedIndex texts = ExpectedIndex.of(IndexKind.TEXT, expected);
      return new Found(finds(texts, from, key), finds(texts, to, key));
    }

    private boolean finds(ExpectedIndex texts, String text, String key) {
      byte[] wanted = DemoDatabase.key(key);
      boolean[] found = new boolean[1];
      try (JsonCursor cursor = database.query(IndexKind.TEXT, IndexQuery.equal(textKey(text)))) {
        Shown shown =
            new Shown(
                cursor::next,
                () -> {
                  found[0] |= Arrays.equals(cursor.key(), wanted);
                  return cursor.key();
                },
                cursor::json);
        compare(IndexKind.TEXT, shown, texts.withText(text));
      }
      return found[0];
    }

    /** Returns how many records were shown, and keeps the first of them. */
    private long ask(IndexKind kind, IndexQuery query, List<Row> rows, List<byte[]> first) {
      try (JsonCursor cursor = database.query(kind, query)) {
        Shown shown =
            new Shown(
                cursor::next,
                cursor::key,
                () -> {
                  byte[] record = cursor.json();
                  if (first.size() < SHOWN) {
                    first.add(record);
                  }
                  return record;
                });
        return compare(kind, shown, rows);
      }
    }

    private long compare(IndexKind kind, Shown shown, List<Row> rows) {
      String what = "index " + database.shape().indexName(kind);
      return answers.compare(Way.INDEX, what, shown, rows.stream().map(Row::entry).iterator());
    }

    private DemoRecord record(byte[] bytes) {
      return DemoRecord.of(database.shape(), bytes);
    }

    private static byte[] textKey(String text) {
      return IndexKind.TEXT.bytes(new IndexKind.Key(text, 0));
    }
  }
}
