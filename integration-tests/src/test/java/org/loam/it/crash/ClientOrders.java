package org.loam.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.ClosedException;
import org.loam.engine.Cursor;
import org.loam.engine.Dataset;
import org.loam.engine.DatasetBatch;
import org.loam.engine.Engine;
import org.loam.engine.RecordCursor;
import org.loam.engine.WriteOptions;
import org.loam.it.crash.ClientHistory.Change;
import org.loam.it.orders.Order;
import org.loam.it.orders.OrderIndex;
import org.loam.it.orders.OrderIndex.Entry;
import org.loam.it.orders.OrderQuery;

/**
 * What a client does with datasets: with one that all share, under keys of its own, and with one of
 * its own, which it drops and creates anew. Its batches are numbered with those to trees.
 */
final class ClientOrders {
  /** So many keys are read by several threads. */
  private static final int MANY_KEYS = 64;

  private final CrashClient client;
  private final SharedOrders shared;
  private final String prefix;
  private final Owned own;
  private @Nullable Dataset ownDataset;

  ClientOrders(CrashClient client, SharedOrders shared, int id) {
    this.client = client;
    this.shared = shared;
    this.prefix = "c" + id + "/";
    this.own = Owned.dataset("owned-" + id + "-");
  }

  void operate(Engine engine, RandomGenerator random) {
    int dice = random.nextInt(1000);
    if (dice < 460) {
      write(engine, random);
    } else if (dice < 660) {
      shared.writeShared(engine, random);
    } else if (dice < 740) {
      getAll(random);
    } else if (dice < 760) {
      checkScan(random);
    } else if (dice < 940) {
      query(engine, random);
    } else if (dice < 965) {
      writeInVain(random);
    } else if (dice < 985) {
      shared.changeIndex(random);
    } else {
      changeOwn(engine);
    }
  }

  // ---- Writing.

  private void write(Engine engine, RandomGenerator random) {
    List<Change> changes = new ArrayList<>();
    byte[] number = Order.ofAmount(client.nextNumber()).encode();
    changes.add(new Change(SharedOrders.NAME, numberKey(), number));
    boolean one = random.nextInt(5) != 0;
    for (int i = one ? 1 : 2 + random.nextInt(6); i > 0; i--) {
      byte[] record = random.nextInt(4) == 0 ? null : client.order(random, one);
      changes.add(new Change(anyDataset(random), client.key(random), record));
    }
    client.commit(changes, random, options -> write(engine, changes, options));
  }

  private void write(Engine engine, List<Change> changes, WriteOptions options) {
    DatasetBatch batch = new DatasetBatch();
    for (Change c : changes) {
      byte[] key = c.key().getBytes(UTF_8);
      byte[] record = c.value();
      if (record == null) {
        batch.delete(dataset(c.tree()), key);
      } else {
        batch.upsert(dataset(c.tree()), key, record);
      }
    }
    engine.datasets().write(batch, options);
  }

  /** Writes that change nothing, but go their way: a record is not inserted twice. */
  private void writeInVain(RandomGenerator random) {
    String key = client.key(random);
    byte[] name = key.getBytes(UTF_8);
    byte[] record = client.content(SharedOrders.NAME).get(key);
    if (record == null) {
      shared.dataset().delete(name);
    } else {
      Check.that(
          !shared.dataset().insert(name, client.order(random, false)),
          client.what("inserted what was there, " + key));
      shared.dataset().upsert(name, record);
    }
  }

  private String anyDataset(RandomGenerator random) {
    String mine = own.name();
    return mine != null && random.nextInt(3) == 0 ? mine : SharedOrders.NAME;
  }

  private Dataset dataset(String name) {
    Dataset mine = ownDataset;
    return mine != null && name.equals(own.name()) ? mine : shared.dataset();
  }

  private void changeOwn(Engine engine) {
    own.change(engine);
    ownDataset = open(engine, own.name());
  }

  private static @Nullable Dataset open(Engine engine, @Nullable String name) {
    return name == null ? null : engine.datasets().open(name, Order.RULE, SharedOrders.ALL);
  }

  // ---- Reading.

  void getAll(RandomGenerator random) {
    shared.countMultiGet();
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < MANY_KEYS; i++) {
      keys.add(client.key(random));
    }
    NavigableMap<String, byte[]> content = client.content(SharedOrders.NAME);
    List<byte @Nullable []> found =
        shared.dataset().getAll(keys.stream().map(key -> key.getBytes(UTF_8)).toList());
    for (int i = 0; i < MANY_KEYS; i++) {
      Check.same(client.what("get all " + keys.get(i)), found.get(i), content.get(keys.get(i)));
    }
  }

  private void checkScan(RandomGenerator random) {
    NavigableMap<String, byte[]> content = client.content(SharedOrders.NAME);
    boolean reverse = random.nextBoolean();
    try (Cursor cursor =
        shared.dataset().scan(reverse ? client.ownKeys().reverse() : client.ownKeys())) {
      Check.entries(client.what("orders"), cursor, reverse ? content.descendingMap() : content);
    }
  }

  /** What a query shows is of the moment when it began, whatever is written meanwhile. */
  private void query(Engine engine, RandomGenerator random) {
    boolean inOwn = ownDataset != null && random.nextInt(3) == 0;
    Dataset dataset = inOwn && ownDataset != null ? ownDataset : shared.dataset();
    OrderIndex index = inOwn ? anyOwnIndex(random) : shared.anyIndex(random);
    if (index == null) {
      return;
    }
    shared.countQuery();
    OrderQuery query = OrderQuery.random(index, random);
    Iterator<Entry> expected = query.of(index.entries(client.content(dataset.name()))).iterator();
    int drops = shared.drops();
    String what = client.what("query of index " + index.title());
    try (RecordCursor cursor = dataset.query(index.title(), query.query())) {
      for (int i = random.nextInt(3); i > 0; i--) {
        write(engine, random);
      }
      while (cursor.next()) {
        if (new String(cursor.key(), UTF_8).startsWith(prefix)) {
          Check.that(expected.hasNext(), what + ": a record too many");
          index.check(what, cursor, expected.next());
        } else {
          index.checkFits(what, cursor);
        }
        if (random.nextInt(40) == 0) {
          write(engine, random);
        }
      }
      Check.that(!expected.hasNext(), what + ": ends too early");
    } catch (ClosedException e) {
      if (inOwn || shared.drops() == drops) {
        throw e;
      }
    }
  }

  private static OrderIndex anyOwnIndex(RandomGenerator random) {
    return OrderIndex.values()[random.nextInt(OrderIndex.values().length)];
  }

  // ---- After a crash.

  /** The number of the last batch to the shared dataset. */
  long number() {
    byte[] record = shared.dataset().get(numberKey().getBytes(UTF_8));
    Long number = record == null ? null : Order.decode(record).amount();
    return number == null ? 0 : number;
  }

  /** Finds its own dataset in a reopened engine, or that there is none. */
  void reopen(Engine engine) {
    if (own.isDoubtful()) {
      shared.countDoubt();
    }
    ownDataset = open(engine, own.verify(engine));
  }

  /** Checks the records under its own keys, and all of its own dataset. */
  void verify(String when, Map<String, TreeMap<String, byte[]>> content) {
    List<Dataset> datasets = new ArrayList<>(List.of(shared.dataset()));
    if (ownDataset != null) {
      datasets.add(ownDataset);
      SharedOrders.verifyIndexes(ownDataset, EnumSet.allOf(OrderIndex.class));
    }
    for (Dataset dataset : datasets) {
      try (Cursor cursor = dataset.scan(client.ownKeys())) {
        TreeMap<String, byte[]> expected = content.getOrDefault(dataset.name(), new TreeMap<>());
        Check.entries(client.what(when + dataset), cursor, expected);
      }
    }
  }

  private String numberKey() {
    return prefix + "#";
  }
}
