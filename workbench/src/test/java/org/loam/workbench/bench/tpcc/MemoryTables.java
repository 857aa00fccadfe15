package org.loam.workbench.bench.tpcc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.loam.workbench.peer.TableBatch;
import org.loam.workbench.peer.TableStore;
import org.loam.workbench.workload.tpcc.Table;
import org.loam.workbench.workload.tpcc.TableIndex;

/** Tables as sorted maps; a query looks at all records. For one thread. */
final class MemoryTables implements TableStore {
  private final Map<Table, TreeMap<byte[], byte[]>> tables = new EnumMap<>(Table.class);

  MemoryTables() {
    for (Table table : Table.values()) {
      tables.put(table, new TreeMap<>(Arrays::compareUnsigned));
    }
  }

  /** The records of a table, to look at and to spoil. */
  NavigableMap<byte[], byte[]> table(Table table) {
    return tables.get(table);
  }

  @Override
  public Session session() {
    return new MemorySession();
  }

  @Override
  public void verify() {
    // A query cannot differ from its table.
  }

  @Override
  public void flush() {
    // There is no disk.
  }

  @Override
  public long bytesWritten() {
    return 0;
  }

  @Override
  public void close() {
    // Nothing is open.
  }

  private final class MemorySession implements Session {
    @Override
    public byte[] get(Table table, byte[] key) {
      byte[] record = table(table).get(key);
      return record == null ? null : record.clone();
    }

    @Override
    public List<byte[]> getAll(Table table, List<byte[]> keys) {
      List<byte[]> records = new ArrayList<>();
      keys.forEach(key -> records.add(get(table, key)));
      return records;
    }

    @Override
    public void scan(Table table, byte[] from, byte[] to, int limit, Sink sink) {
      NavigableMap<byte[], byte[]> rest = table(table).tailMap(from, true);
      (to == null ? rest : rest.headMap(to, false))
          .entrySet().stream()
              .limit(limit)
              .forEach(e -> sink.record(e.getKey().clone(), e.getValue().clone()));
    }

    @Override
    public void query(TableIndex index, byte[] beginning, boolean backwards, int limit, Sink sink) {
      TreeMap<byte[], byte[]> keys = new TreeMap<>(Arrays::compareUnsigned);
      table(index.table())
          .forEach(
              (key, record) -> {
                byte[] indexKey = index.keyOf(key, record);
                if (indexKey.length >= beginning.length
                    && Arrays.equals(beginning, Arrays.copyOf(indexKey, beginning.length))) {
                  byte[] entry = Arrays.copyOf(indexKey, indexKey.length + key.length);
                  System.arraycopy(key, 0, entry, indexKey.length, key.length);
                  keys.put(entry, key);
                }
              });
      List<byte[]> ordered = new ArrayList<>(keys.values());
      if (backwards) {
        Collections.reverse(ordered);
      }
      ordered.stream()
          .limit(limit)
          .forEach(key -> sink.record(key.clone(), get(index.table(), key)));
    }

    @Override
    public void write(TableBatch batch) {
      for (TableBatch.Change change : batch.changes()) {
        byte[] old =
            change.record() == null
                ? table(change.table()).remove(change.key())
                : table(change.table()).put(change.key().clone(), change.record().clone());
        if ((old == null) != (change.kind() == TableBatch.Kind.INSERT)) {
          throw new AssertionError(change.kind() + " of a record that is there: " + (old != null));
        }
      }
    }

    @Override
    public void close() {
      // Nothing is held.
    }
  }
}
