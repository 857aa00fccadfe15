package org.loam.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.engine.Cursor;
import org.loam.engine.Dataset;
import org.loam.engine.DatasetBatch;
import org.loam.engine.DatasetDescription.IndexDescription;
import org.loam.engine.Engine;
import org.loam.engine.IndexCursor;
import org.loam.engine.IndexQuery;
import org.loam.engine.RecordCursor;
import org.loam.engine.ScanOptions;
import org.loam.it.orders.Order;
import org.loam.it.orders.OrderIndex;
import org.loam.it.orders.OrderIndex.Entry;
import org.loam.it.orders.OrderQuery;
import org.loam.lsm.dataset.IndexDefinition;

/**
 * The dataset that all clients share: which indexes it has, records that all of them write, and
 * that indexes and records agree.
 */
final class SharedOrders {
  static final String NAME = "orders";
  static final List<IndexDefinition> ALL = OrderIndex.definitions(EnumSet.allOf(OrderIndex.class));

  /** A thread that takes all locks takes theirs last, so that they are still written then. */
  private static final List<String> SHARED_KEYS =
      List.of("shared/139", "shared/2972", "shared/244");

  private final Set<OrderIndex> indexes = EnumSet.of(OrderIndex.COUNTRY, OrderIndex.LABEL);

  /** What was ever written under each key that all clients share, since the last verification. */
  private final Map<String, List<byte[]>> tried = new TreeMap<>();

  private @Nullable Dataset handle;
  private boolean created;

  /** The index that is being created or dropped: it may be there or not. */
  private @Nullable OrderIndex doubtful;

  private int drops;
  private long indexChanges;
  private long doubts;
  private long queries;
  private long multiGets;

  // ---- What clients do.

  Dataset dataset() {
    if (handle == null) {
      throw new AssertionError("not opened");
    }
    return handle;
  }

  /** Creations and drops of an index. */
  long indexChanges() {
    return indexChanges;
  }

  /** Creations and drops of an index or of the dataset during which a crash came. */
  long doubts() {
    return doubts;
  }

  void countDoubt() {
    doubts++;
  }

  long queries() {
    return queries;
  }

  void countQuery() {
    queries++;
  }

  /** Reads of many keys at once. */
  long multiGets() {
    return multiGets;
  }

  void countMultiGet() {
    multiGets++;
  }

  /** How many drops of indexes have begun. */
  int drops() {
    return drops;
  }

  /** An index that is there, null if there is none. */
  @Nullable OrderIndex anyIndex(RandomGenerator random) {
    List<OrderIndex> there = List.copyOf(indexes);
    return there.isEmpty() ? null : there.get(random.nextInt(there.size()));
  }

  /**
   * Creates or drops an index, unless another client does. Every fault but the fence changes
   * nothing.
   */
  void changeIndex(RandomGenerator random) {
    if (doubtful != null) {
      return;
    }
    OrderIndex index = OrderIndex.values()[random.nextInt(OrderIndex.values().length)];
    boolean there = indexes.remove(index);
    boolean after = there;
    doubtful = index;
    indexChanges++;
    boolean known = true;
    try {
      if (there) {
        drops++;
        dataset().dropIndex(index.title());
      } else {
        dataset().createIndex(index.definition());
      }
      after = !there;
    } catch (StorageException e) {
      known = !(e instanceof FencedException);
      throw e;
    } catch (Throwable t) {
      known = false;
      throw t;
    } finally {
      if (known) {
        doubtful = null;
        if (after) {
          indexes.add(index);
        }
      }
    }
  }

  /** Writes records that all clients write: which write is the last is not known. */
  void writeShared(Engine engine, RandomGenerator random) {
    String key = sharedKey(random);
    byte[] name = key.getBytes(UTF_8);
    byte[] record = Order.random(random, random.nextInt(40)).encode();
    tried.computeIfAbsent(key, k -> new ArrayList<>()).add(record);
    switch (random.nextInt(5)) {
      case 0 -> dataset().delete(name);
      case 1 -> dataset().insert(name, record);
      case 2 ->
          engine
              .datasets()
              .write(
                  new DatasetBatch()
                      .upsert(dataset(), name, record)
                      .delete(dataset(), sharedKey(random).getBytes(UTF_8)));
      default -> dataset().upsert(name, record);
    }
  }

  private static String sharedKey(RandomGenerator random) {
    return SHARED_KEYS.get(random.nextInt(SHARED_KEYS.size()));
  }

  // ---- What must be there.

  /** Opens the dataset of a reopened engine; the first time it makes it. */
  void open(Engine engine) {
    if (!created) {
      handle = engine.datasets().create(NAME, Order.RULE, OrderIndex.definitions(indexes));
      created = true;
      return;
    }
    Set<OrderIndex> found = EnumSet.noneOf(OrderIndex.class);
    for (IndexDescription index : engine.datasets().describe(NAME).indexes()) {
      found.add(OrderIndex.valueOf(index.name().toUpperCase(Locale.ROOT)));
    }
    Set<OrderIndex> possible = EnumSet.copyOf(indexes);
    if (doubtful != null) {
      possible.add(doubtful);
      doubts++;
    }
    Check.that(
        found.equals(indexes) || found.equals(possible),
        "indexes " + found + ", expected " + indexes + " or " + possible);
    for (OrderIndex index : OrderIndex.values()) {
      Check.that(
          engine.hasTree(NAME + "/" + index.title()) == found.contains(index),
          "the tree of index " + index.title() + ", indexes " + found);
    }
    handle = engine.datasets().open(NAME, Order.RULE, OrderIndex.definitions(found));
    indexes.clear();
    indexes.addAll(found);
    doubtful = null;
  }

  /** Checks that indexes and records agree while no client writes; returns the records. */
  Map<String, byte[]> verifyIndexes() {
    return verifyIndexes(dataset(), indexes);
  }

  /** Checks all there is after a crash. */
  void verify() {
    Map<String, byte[]> records = verifyIndexes();
    Map<String, List<byte[]>> now = new TreeMap<>();
    records.forEach(
        (key, record) -> {
          if (SHARED_KEYS.contains(key)) {
            boolean known =
                tried.getOrDefault(key, List.of()).stream().anyMatch(r -> Arrays.equals(r, record));
            Check.that(known, "record " + key + " is one that nobody wrote");
            now.put(key, new ArrayList<>(List.of(record)));
          }
        });
    tried.clear();
    tried.putAll(now);
  }

  /** Checks that indexes and records agree, in both directions; returns the records. */
  static Map<String, byte[]> verifyIndexes(Dataset dataset, Set<OrderIndex> indexes) {
    Map<String, byte[]> records = new TreeMap<>();
    try (Cursor cursor = dataset.scan(ScanOptions.all().withoutCacheFill())) {
      while (cursor.next()) {
        records.put(new String(cursor.key(), UTF_8), cursor.value());
      }
    }
    for (OrderIndex index : indexes) {
      String what = "index " + index.title() + " of " + dataset.name();
      IndexQuery all = OrderQuery.all().query();
      try (RecordCursor cursor = dataset.query(index.title(), all);
          IndexCursor keys = dataset.queryKeys(index.title(), all)) {
        for (Entry entry : index.entries(records)) {
          Check.that(
              cursor.next() && keys.next(), what + ": record " + entry.key() + " is not found");
          index.check(what, cursor, entry);
          index.check(what, keys, entry);
        }
        Check.that(!cursor.next() && !keys.next(), what + ": an entry too many");
      }
    }
    return records;
  }
}
