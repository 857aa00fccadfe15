package org.loam.it.orders;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.loam.common.key.Direction;
import org.loam.common.key.KeyBuilder;
import org.loam.common.key.KeyReader;
import org.loam.engine.IndexCursor;
import org.loam.engine.RecordCursor;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.lsm.dataset.IndexKeys;
import org.loam.lsm.dataset.RecordView;

/**
 * The indexes of orders. Which keys a record has is said once, in typed values; that they are
 * encoded, sorted, kept and found is the engine's part, and done here by comparing values.
 */
public enum OrderIndex {
  /** One part. */
  COUNTRY(List.of(Direction.ASCENDING)) {
    @Override
    List<List<@Nullable Object>> keysOf(Order order) {
      return order.country() == null ? List.of() : List.of(key(order.country()));
    }

    @Override
    List<@Nullable Object> anyKey(RandomGenerator random) {
      return key(Order.anyCountry(random));
    }
  },
  /** Two parts, the second one descending and perhaps null. */
  AMOUNT(List.of(Direction.ASCENDING, Direction.DESCENDING)) {
    @Override
    List<List<@Nullable Object>> keysOf(Order order) {
      return order.country() == null ? List.of() : List.of(key(order.country(), order.amount()));
    }

    @Override
    List<@Nullable Object> anyKey(RandomGenerator random) {
      String country = Order.anyCountry(random);
      return random.nextBoolean()
          ? key(country)
          : key(country, random.nextInt(6) == 0 ? null : Order.anyAmount(random));
    }
  },
  /** Any number of keys, some of them twice. */
  LABEL(List.of(Direction.ASCENDING)) {
    @Override
    List<List<@Nullable Object>> keysOf(Order order) {
      List<List<@Nullable Object>> keys = new ArrayList<>();
      order.labels().forEach(label -> keys.add(key(label)));
      return keys;
    }

    @Override
    List<@Nullable Object> anyKey(RandomGenerator random) {
      return key(Order.anyLabel(random));
    }
  },
  /** Few records have it. */
  RATING(List.of(Direction.DESCENDING)) {
    @Override
    List<List<@Nullable Object>> keysOf(Order order) {
      return order.rating() == null ? List.of() : List.of(key(order.rating()));
    }

    @Override
    List<@Nullable Object> anyKey(RandomGenerator random) {
      return key(Order.anyRating(random));
    }
  };

  /**
   * An entry of an index, with its record.
   *
   * @param key of the record
   */
  public record Entry(List<@Nullable Object> indexKey, String key, byte[] record) {}

  private final List<Direction> parts;
  private final IndexDefinition definition;

  OrderIndex(List<Direction> parts) {
    this.parts = parts;
    this.definition = new IndexDefinition(title(), parts, "order." + title(), this::extract);
  }

  /** The name that the dataset knows. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** For the engine. */
  public IndexDefinition definition() {
    return definition;
  }

  /** The definitions of some. */
  public static List<IndexDefinition> definitions(Iterable<OrderIndex> indexes) {
    List<IndexDefinition> definitions = new ArrayList<>();
    indexes.forEach(index -> definitions.add(index.definition));
    return definitions;
  }

  /** The keys of a record in any order, perhaps one twice. */
  abstract List<List<@Nullable Object>> keysOf(Order order);

  /** The key of some record, or its first part. */
  abstract List<@Nullable Object> anyKey(RandomGenerator random);

  private static List<@Nullable Object> key(@Nullable Object... parts) {
    List<@Nullable Object> key = new ArrayList<>();
    for (Object part : parts) {
      key.add(part);
    }
    return key;
  }

  // ---- As the engine sees it.

  private void extract(RecordView record, IndexKeys keys) {
    for (List<@Nullable Object> key : keysOf(record.parsed(Order::decode))) {
      add(key, keys.next());
    }
  }

  /** A key, or its first parts, as the engine wants it. */
  public byte[] encode(List<@Nullable Object> key) {
    return add(key, new KeyBuilder()).toBytes();
  }

  private KeyBuilder add(List<@Nullable Object> key, KeyBuilder builder) {
    for (int i = 0; i < key.size(); i++) {
      Object part = key.get(i);
      builder.direction(parts.get(i));
      if (part == null) {
        builder.addNull();
      } else if (part instanceof String text) {
        builder.add(text);
      } else if (part instanceof Long number) {
        builder.add(number);
      } else if (part instanceof Double number) {
        builder.add(number);
      } else {
        throw new AssertionError(part);
      }
    }
    return builder;
  }

  // ---- As it must be.

  /** All entries of records, by the records' keys, in the order of the index. */
  public List<Entry> entries(Map<String, byte[]> records) {
    List<Entry> entries = new ArrayList<>();
    records.forEach(
        (key, record) ->
            keysOf(Order.decode(record)).stream()
                .distinct()
                .forEach(indexKey -> entries.add(new Entry(indexKey, key, record))));
    entries.sort(
        Comparator.<Entry, List<@Nullable Object>>comparing(Entry::indexKey, this::compare)
            .thenComparing(Entry::key));
    return entries;
  }

  /** Compares as many parts as both have. */
  int compare(List<@Nullable Object> a, List<@Nullable Object> b) {
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      int order = compareParts(a.get(i), b.get(i));
      if (order != 0) {
        return parts.get(i) == Direction.ASCENDING ? order : -order;
      }
    }
    return 0;
  }

  private static int compareParts(@Nullable Object a, @Nullable Object b) {
    if (a == null || b == null) {
      return a == b ? 0 : a == null ? -1 : 1;
    }
    if (a instanceof String text) {
      return text.compareTo((String) b);
    }
    return a instanceof Long number
        ? number.compareTo((Long) b)
        : ((Double) a).compareTo((Double) b);
  }

  // ---- What a query shows.

  /** Checks the entry that a cursor is at. */
  public void check(String what, RecordCursor cursor, Entry expected) {
    checkKeys(what, cursor.key(), cursor.indexKey(), expected);
    if (!Arrays.equals(cursor.record(), expected.record())) {
      throw new AssertionError(
          what
              + ": record "
              + expected.key()
              + " under "
              + expected.indexKey()
              + " is another one");
    }
  }

  /** Checks the entry that a cursor is at. */
  public void check(String what, IndexCursor cursor, Entry expected) {
    checkKeys(what + ", keys only", cursor.key(), cursor.indexKey(), expected);
  }

  private void checkKeys(String what, byte[] foundKey, byte[] foundIndexKey, Entry expected) {
    String key = new String(foundKey, UTF_8);
    List<@Nullable Object> indexKey = decode(foundIndexKey);
    if (!key.equals(expected.key()) || compare(indexKey, expected.indexKey()) != 0) {
      throw new AssertionError(
          what
              + ": record "
              + key
              + " under "
              + indexKey
              + ", expected record "
              + expected.key()
              + " under "
              + expected.indexKey());
    }
  }

  /** Checks that the record a cursor is at has the key under which it was found. */
  public void checkFits(String what, RecordCursor cursor) {
    List<@Nullable Object> indexKey = decode(cursor.indexKey());
    List<List<@Nullable Object>> keys = keysOf(Order.decode(cursor.record()));
    if (keys.stream().noneMatch(key -> compare(key, indexKey) == 0)) {
      throw new AssertionError(
          what
              + ": record "
              + new String(cursor.key(), UTF_8)
              + " was found under "
              + indexKey
              + ", has "
              + keys);
    }
  }

  private List<@Nullable Object> decode(byte[] indexKey) {
    KeyReader reader = new KeyReader(indexKey);
    List<@Nullable Object> key = new ArrayList<>();
    for (Direction direction : parts) {
      Object part = reader.next(direction);
      // A number that is one is a long to the engine.
      key.add(this == RATING && part instanceof Long number ? (Double) (double) number : part);
    }
    return key;
  }
}
