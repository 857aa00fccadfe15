package org.loam.it.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.loam.engine.Dataset;
import org.loam.engine.IndexCursor;
import org.loam.engine.RecordCursor;
import org.loam.it.orders.OrderIndex;
import org.loam.it.orders.OrderQuery;

/**
 * A query of an index, and what it must show: of each record the entries that it has in the range
 * after one of its writes, all of them and in order, up to where the limit ends the answer.
 */
final class IndexAnswer {
  private final OrderIndex index;
  private final OrderQuery query;
  private final long limit;
  private final Content content;
  private final int keys;

  /** Entries, as index key and key in one, by slot and in the order in which they were shown. */
  private final Map<Integer, List<byte[]>> shown = new TreeMap<>();

  private byte @Nullable [] last;
  private int count;

  private IndexAnswer(OrderIndex index, OrderQuery query, long limit, Content content, int keys) {
    this.index = index;
    this.query = query;
    this.limit = limit;
    this.content = content;
    this.keys = keys;
  }

  static IndexAnswer random(OrderIndex index, RandomGenerator random, Content content, int keys) {
    OrderQuery query = OrderQuery.random(index, random);
    if (random.nextInt(3) > 0) {
      return new IndexAnswer(index, query, Long.MAX_VALUE, content, keys);
    }
    long limit = random.nextInt(30);
    return new IndexAnswer(index, query.limit(limit), limit, content, keys);
  }

  /** Asks and checks the answer. */
  void ask(Dataset dataset, boolean keysOnly, int reader) {
    Moment moment = Moment.begin(content, reader);
    if (keysOnly) {
      try (IndexCursor cursor = dataset.queryKeys(index.title(), query.query())) {
        moment.end();
        while (cursor.next()) {
          add(cursor.indexKey(), cursor.key());
        }
      }
    } else {
      try (RecordCursor cursor = dataset.query(index.title(), query.query())) {
        moment.end();
        while (cursor.next()) {
          int slot = add(cursor.indexKey(), cursor.key());
          moment.see("record", slot, cursor.record());
        }
      }
    }
    for (int slot = 0; slot < keys; slot++) {
      see(slot, moment);
    }
    moment.check();
  }

  private int add(byte[] indexKey, byte[] key) {
    byte[] entry = joined(indexKey, key);
    byte[] before = last;
    if (before != null && !isBefore(before, entry)) {
      throw new HistoryError("index " + index + ": " + text(entry) + " after " + text(before));
    }
    last = entry;
    count++;
    if (count > limit) {
      throw new HistoryError("index " + index + ": more than " + limit + " entries");
    }
    int slot = Content.id(key);
    shown.computeIfAbsent(slot, s -> new ArrayList<>()).add(entry);
    return slot;
  }

  private void see(int slot, Moment moment) {
    List<byte[]> entries = shown.getOrDefault(slot, List.of());
    moment.see(
        content.history.group(slot),
        "index " + index + ", " + content.name(slot) + " has",
        entries.stream().map(IndexAnswer::text).toList(),
        number -> isSame(due(slot, number), entries));
  }

  /** The entries of a slot after a write that the answer must have. */
  private List<byte[]> due(int slot, long number) {
    List<byte[]> due = new ArrayList<>();
    for (OrderIndex.Entry entry : query.of(DatasetClient.entries(index, content, slot, number))) {
      byte[] bytes = joined(index.encode(entry.indexKey()), entry.key().getBytes(UTF_8));
      byte[] end = last;
      if (count < limit || (end != null && !isBefore(end, bytes))) {
        due.add(bytes);
      }
    }
    return due;
  }

  private boolean isBefore(byte[] first, byte[] second) {
    int order = Arrays.compareUnsigned(first, second);
    return query.isReverse() ? order > 0 : order < 0;
  }

  private static boolean isSame(List<byte[]> expected, List<byte[]> found) {
    return Arrays.deepEquals(expected.toArray(), found.toArray());
  }

  private static byte[] joined(byte[] indexKey, byte[] key) {
    byte[] entry = Arrays.copyOf(indexKey, indexKey.length + key.length);
    System.arraycopy(key, 0, entry, indexKey.length, key.length);
    return entry;
  }

  private static String text(byte[] entry) {
    return Arrays.toString(entry);
  }
}
