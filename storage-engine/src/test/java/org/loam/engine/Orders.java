package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.loam.common.key.Direction;
import org.loam.common.key.KeyBuilder;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.lsm.dataset.IndexEntries;
import org.loam.lsm.dataset.RecordView;

/**
 * A dataset for tests. A record is a text of fields: country, amount, and labels, as in {@code
 * NO;12;red,big;} and anything behind; fields may be empty, and then the record is not in their
 * index.
 */
final class Orders {
  static final String NAME = "orders";
  static final String RULE = "text;v1";

  /** One part. */
  static final IndexDefinition BY_COUNTRY =
      IndexDefinition.of(
          "country",
          "field 0",
          (record, keys) -> {
            String country = fields(record)[0];
            if (!country.isEmpty()) {
              keys.next().add(country);
            }
          });

  /** Two parts, the second one descending. */
  static final IndexDefinition BY_AMOUNT =
      new IndexDefinition(
          "amount",
          List.of(Direction.ASCENDING, Direction.DESCENDING),
          "fields 0, 1 desc",
          (record, keys) -> {
            String[] fields = fields(record);
            if (!fields[1].isEmpty()) {
              keys.next()
                  .add(fields[0])
                  .direction(Direction.DESCENDING)
                  .add(Long.parseLong(fields[1]));
            }
          });

  /** Any number of keys, some of them twice. */
  static final IndexDefinition BY_LABEL =
      IndexDefinition.of(
          "label",
          "field 2 each",
          (record, keys) -> {
            for (String label : fields(record)[2].split(",")) {
              if (!label.isEmpty()) {
                keys.next().add(label);
              }
            }
          });

  static final List<IndexDefinition> INDEXES = List.of(BY_COUNTRY, BY_AMOUNT, BY_LABEL);

  private Orders() {}

  private static String[] fields(RecordView record) {
    return new String(record.bytes(), UTF_8).split(";", -1);
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  static byte[] key(String text) {
    return new KeyBuilder().add(text).toBytes();
  }

  /** The keys of the records that a query finds, in order; one of keys only finds the same. */
  static List<String> found(Dataset orders, String index, IndexQuery query) {
    List<String> keys = new ArrayList<>();
    try (RecordCursor cursor = orders.query(index, query);
        IndexCursor entries = orders.queryKeys(index, query)) {
      while (cursor.next()) {
        keys.add(new String(cursor.key(), UTF_8));
        assertThat(entries.next()).isTrue();
        assertThat(entries.key()).isEqualTo(cursor.key());
        assertThat(entries.indexKey()).isEqualTo(cursor.indexKey());
      }
      assertThat(entries.next()).isFalse();
    }
    return keys;
  }

  /** Checks every index against the records, in both directions; how many entries there are. */
  static int verify(Dataset orders, List<IndexDefinition> indexes) {
    int count = 0;
    for (IndexDefinition index : indexes) {
      TreeSet<String> expected = new TreeSet<>();
      for (RecordView record : records(orders)) {
        IndexEntries.diff(
            index,
            null,
            record,
            new IndexEntries.Changes() {
              @Override
              public void add(byte[] entry) {
                expected.add(Arrays.toString(entry));
              }

              @Override
              public void remove(byte[] entry) {
                throw new AssertionError("nothing was there before");
              }
            });
      }
      TreeSet<String> there = new TreeSet<>();
      try (IndexCursor entries = orders.queryKeys(index.name(), IndexQuery.all())) {
        while (entries.next()) {
          byte[] entry = joined(entries.indexKey(), entries.key());
          assertThat(there.add(Arrays.toString(entry))).isTrue();
        }
      }
      assertThat(there).as("entries of index " + index.name()).isEqualTo(expected);
      count += there.size();
    }
    return count;
  }

  private static byte[] joined(byte[] first, byte[] second) {
    return new KeyBuilder()
        .addRaw(first, 0, first.length)
        .addRaw(second, 0, second.length)
        .toBytes();
  }

  private static List<RecordView> records(Dataset orders) {
    List<RecordView> records = new ArrayList<>();
    try (Cursor cursor = orders.scan(ScanOptions.all())) {
      while (cursor.next()) {
        records.add(new RecordView(cursor.key(), cursor.value()));
      }
    }
    return records;
  }
}
