package org.loam.it.schedule;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.loam.common.key.KeyBuilder;
import org.loam.common.sim.Simulation;
import org.loam.engine.Dataset;
import org.loam.engine.Engine;
import org.loam.engine.IndexQuery;
import org.loam.engine.RecordCursor;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.lsm.dataset.IndexKeys;
import org.loam.lsm.dataset.RecordView;

/**
 * Two clients write the same records of a dataset with an index, one of which no index takes; a
 * third one queries, and makes another index. A query shows each record once, under its own key.
 */
public final class DatasetTrial extends ScheduleTrial {
  private static final int KEYS = 2;
  private static final int ROUNDS = 3;

  /** A record that begins so is refused by the index. */
  private static final byte BAD = -1;

  /** To be run in instrumented code. */
  public DatasetTrial() {
    super(DatasetTrial::world);
  }

  static void world(Simulation sim) {
    Engine engine = TinyEngine.open(sim);
    Dataset dataset =
        engine
            .datasets()
            .create("records", "v1", List.of(IndexDefinition.of("first", "v1", DatasetTrial::key)));
    AtomicInteger inserts = new AtomicInteger();
    sim.run(
        () -> write(dataset, 1, inserts),
        () -> write(dataset, 2, inserts),
        () -> {
          for (int i = 0; i < ROUNDS; i++) {
            query(dataset, "first");
          }
          dataset.createIndex(IndexDefinition.of("later", "v1", DatasetTrial::key));
          engine.flush();
        });
    Check.that(inserts.get() == 1, "one record was inserted " + inserts + " times");
    for (String index : List.of("first", "later")) {
      Check.that(query(dataset, index) == KEYS, "a record is not in index " + index);
    }
  }

  private static void write(Dataset dataset, int client, AtomicInteger inserts) {
    for (int i = 0; i < ROUNDS; i++) {
      byte[] key = {(byte) (i % KEYS)};
      byte[] record = {(byte) i, (byte) client};
      if (i % KEYS == 0) {
        if (dataset.insert(key, record)) {
          inserts.incrementAndGet();
        } else {
          Check.that(dataset.get(key) != null, "refused for a record that is not there");
        }
      } else {
        dataset.upsert(key, record);
      }
      refused(dataset, key);
    }
  }

  /** The index throws while the key is locked. */
  private static void refused(Dataset dataset, byte[] key) {
    try {
      dataset.upsert(key, new byte[] {BAD});
    } catch (IllegalArgumentException e) {
      return;
    }
    throw new AssertionError("a record was written that its index refuses");
  }

  private static int query(Dataset dataset, String index) {
    int count = 0;
    int seen = 0;
    try (RecordCursor cursor = dataset.query(index, IndexQuery.all())) {
      while (cursor.next()) {
        int bit = 1 << cursor.key()[0];
        Check.that((seen & bit) == 0, "a query shows record " + cursor.key()[0] + " twice");
        Check.that(
            Arrays.equals(cursor.indexKey(), new KeyBuilder().add(cursor.record()[0]).toBytes()),
            "a record under another one's index key");
        seen |= bit;
        count++;
      }
    }
    return count;
  }

  static void key(RecordView record, IndexKeys keys) {
    if (record.bytes()[0] == BAD) {
      throw new IllegalArgumentException("bad record");
    }
    keys.next().add(record.bytes()[0]);
  }
}
