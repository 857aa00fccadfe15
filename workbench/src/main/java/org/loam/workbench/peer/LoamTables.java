package org.loam.workbench.peer;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.loam.common.key.Direction;
import org.loam.engine.Cursor;
import org.loam.engine.Dataset;
import org.loam.engine.DatasetBatch;
import org.loam.engine.Datasets;
import org.loam.engine.IndexQuery;
import org.loam.engine.RecordCursor;
import org.loam.engine.ScanOptions;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.workbench.workload.tpcc.Table;
import org.loam.workbench.workload.tpcc.TableIndex;

/** Tables as datasets: Loam keeps their indexes by itself. */
public final class LoamTables extends LoamEngine implements TableStore {
  private static final String RULE = "TPC-C, records of version 1";

  private final Map<Table, Dataset> datasets = new EnumMap<>(Table.class);

  /** Opens the tables in a directory, or makes them. */
  public LoamTables(StoreSettings settings) {
    super(
        settings.directory(),
        config(settings.memoryBytes(), settings.durability(), settings.engine()));
    for (Table table : Table.values()) {
      datasets.put(table, open(engine.datasets(), table));
    }
  }

  private static Dataset open(Datasets datasets, Table table) {
    List<IndexDefinition> indexes =
        TableIndex.of(table).stream().map(LoamTables::definition).toList();
    return datasets.has(table.id())
        ? datasets.open(table.id(), RULE, indexes)
        : datasets.create(table.id(), RULE, indexes);
  }

  private static IndexDefinition definition(TableIndex index) {
    return new IndexDefinition(
        index.id(),
        Collections.nCopies(index.parts(), Direction.ASCENDING),
        RULE,
        (record, keys) -> {
          byte[] key = index.keyOf(record.key(), record.bytes());
          keys.next().addRaw(key, 0, key.length);
        });
  }

  private Dataset dataset(Table table) {
    Dataset dataset = datasets.get(table);
    if (dataset == null) {
      throw new AssertionError("all tables are open, " + table + " is not");
    }
    return dataset;
  }

  @Override
  public Session session() {
    return new LoamSession();
  }

  private final class LoamSession implements Session {
    private final DatasetBatch writes = new DatasetBatch();

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
      return dataset(table).get(key);
    }

    @Override
    public List<byte @Nullable []> getAll(Table table, List<byte[]> keys) {
      return dataset(table).getAll(keys);
    }

    @Override
    public void scan(Table table, byte[] from, byte @Nullable [] to, int limit, Sink sink) {
      ScanOptions options = ScanOptions.all().from(from).limit(limit);
      try (Cursor cursor = dataset(table).scan(to == null ? options : options.to(to))) {
        while (cursor.next()) {
          sink.record(cursor.key(), cursor.value());
        }
      }
    }

    @Override
    public void query(TableIndex index, byte[] beginning, boolean backwards, int limit, Sink sink) {
      IndexQuery query = IndexQuery.equal(beginning).limit(limit);
      try (RecordCursor cursor =
          dataset(index.table()).query(index.id(), backwards ? query.reverse() : query)) {
        while (cursor.next()) {
          sink.record(cursor.key(), cursor.record());
        }
      }
    }

    @Override
    public void write(TableBatch batch) {
      writes.clear();
      for (TableBatch.Change change : batch.changes()) {
        byte[] record = change.record();
        if (record == null) {
          writes.delete(dataset(change.table()), change.key());
        } else {
          writes.upsert(dataset(change.table()), change.key(), record);
        }
      }
      engine.datasets().write(writes);
    }

    @Override
    public void close() {
      // Nothing is held between calls.
    }
  }
}
