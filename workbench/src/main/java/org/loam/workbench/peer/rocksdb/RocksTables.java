package org.loam.workbench.peer.rocksdb;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.peer.StoreSettings;
import org.loam.workbench.peer.TableBatch;
import org.loam.workbench.peer.TableStore;
import org.loam.workbench.workload.tpcc.Table;
import org.loam.workbench.workload.tpcc.TableIndex;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.WriteBatch;

/**
 * Tables as column families, indexes as more of them. What Loam does for an index is done by hand
 * here, and no more than that: since a batch says which records are new, no old record is read. An
 * entry's key is the index's key and the record's behind it, and its value is the record's key.
 *
 * <p>One memory: the cache has all of it, and memtables are charged to the cache.
 */
final class RocksTables extends RocksEngine implements TableStore {
  private static final List<Table> TABLES = List.of(Table.values());
  private static final List<TableIndex> INDEXES = List.of(TableIndex.values());

  RocksTables(StoreSettings settings, boolean direct) {
    this(settings, direct, RocksMemory.charged(settings.memoryBytes(), settings.engine()));
  }

  private RocksTables(StoreSettings settings, boolean direct, RocksMemory memory) {
    super(settings, new RocksOptions(memory, names().size(), direct), names(), memory);
  }

  /** The default family has nothing; the tables follow, then the indexes. */
  private static List<byte[]> names() {
    List<byte[]> names = new ArrayList<>();
    names.add(RocksDB.DEFAULT_COLUMN_FAMILY);
    for (Table table : TABLES) {
      names.add(table.id().getBytes(StandardCharsets.UTF_8));
    }
    for (TableIndex index : INDEXES) {
      names.add(index.id().getBytes(StandardCharsets.UTF_8));
    }
    return names;
  }

  private ColumnFamilyHandle family(Table table) {
    return families.get(1 + TABLES.indexOf(table));
  }

  private ColumnFamilyHandle family(TableIndex index) {
    return families.get(1 + TABLES.size() + INDEXES.indexOf(index));
  }

  @Override
  public void verify() {
    for (TableIndex index : INDEXES) {
      long entries = verifiedEntries(index);
      long[] records = new long[1];
      try (Session session = session()) {
        session.scan(
            index.table(), new byte[0], null, Integer.MAX_VALUE, (key, record) -> records[0]++);
      }
      if (entries != records[0]) {
        throw new IllegalStateException(
            index.id() + " has " + entries + " entries for " + records[0] + " records");
      }
    }
  }

  private long verifiedEntries(TableIndex index) {
    long count = 0;
    try (RocksIterator iterator = db.newIterator(family(index))) {
      for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
        byte[] key = iterator.value();
        byte[] record = db.get(family(index.table()), key);
        if (record == null || !Arrays.equals(iterator.key(), entry(index, key, record))) {
          throw new IllegalStateException(index.id() + " has an entry that no record has");
        }
        count++;
      }
      iterator.status();
      return count;
    } catch (RocksDBException e) {
      throw new RocksFailure(e);
    }
  }

  private static byte[] entry(TableIndex index, byte[] key, byte[] record) {
    byte[] beginning = index.keyOf(key, record);
    byte[] entry = Arrays.copyOf(beginning, beginning.length + key.length);
    System.arraycopy(key, 0, entry, beginning.length, key.length);
    return entry;
  }

  @Override
  public Session session() {
    return new RocksSession();
  }

  private final class RocksSession implements Session {
    private final ReadOptions readOptions = new ReadOptions();

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
      try {
        return db.get(family(table), readOptions, key);
      } catch (RocksDBException e) {
        throw new RocksFailure(e);
      }
    }

    @Override
    public List<byte @Nullable []> getAll(Table table, List<byte[]> keys) {
      try {
        return db.multiGetAsList(
            readOptions, Collections.nCopies(keys.size(), family(table)), keys);
      } catch (RocksDBException e) {
        throw new RocksFailure(e);
      }
    }

    @Override
    public void scan(Table table, byte[] from, byte @Nullable [] to, int limit, Sink sink) {
      ColumnFamilyHandle family = family(table);
      if (to == null) {
        walk(family, readOptions, from, limit, sink);
        return;
      }
      try (Slice end = new Slice(to);
          ReadOptions bounded = new ReadOptions().setIterateUpperBound(end)) {
        walk(family, bounded, from, limit, sink);
      }
    }

    private void walk(
        ColumnFamilyHandle family, ReadOptions options, byte[] from, int limit, Sink sink) {
      try (RocksIterator iterator = db.newIterator(family, options)) {
        int count = 0;
        for (iterator.seek(from); count < limit && iterator.isValid(); iterator.next()) {
          sink.record(iterator.key(), iterator.value());
          count++;
        }
        iterator.status();
      } catch (RocksDBException e) {
        throw new RocksFailure(e);
      }
    }

    @Override
    public void query(TableIndex index, byte[] beginning, boolean backwards, int limit, Sink sink) {
      List<byte[]> keys = new ArrayList<>();
      // No part of a key begins with 0xff.
      byte[] end = Arrays.copyOf(beginning, beginning.length + 1);
      end[beginning.length] = (byte) 0xff;
      try (Slice lower = new Slice(beginning);
          Slice upper = new Slice(end);
          ReadOptions bounded =
              new ReadOptions().setIterateLowerBound(lower).setIterateUpperBound(upper);
          RocksIterator iterator = db.newIterator(family(index), bounded)) {
        if (backwards) {
          iterator.seekToLast();
        } else {
          iterator.seekToFirst();
        }
        while (keys.size() < limit && iterator.isValid()) {
          keys.add(iterator.value());
          if (backwards) {
            iterator.prev();
          } else {
            iterator.next();
          }
        }
        iterator.status();
      } catch (RocksDBException e) {
        throw new RocksFailure(e);
      }
      List<byte @Nullable []> records = getAll(index.table(), keys);
      for (int i = 0; i < keys.size(); i++) {
        byte[] record = records.get(i);
        if (record == null) {
          throw new IllegalStateException(index.id() + " has an entry without a record");
        }
        sink.record(keys.get(i), record);
      }
    }

    @Override
    public void write(TableBatch batch) {
      try (WriteBatch writes = new WriteBatch()) {
        for (TableBatch.Change change : batch.changes()) {
          add(change, writes);
        }
        db.write(writeOptions, writes);
      } catch (RocksDBException e) {
        throw new RocksFailure(e);
      }
    }

    private void add(TableBatch.Change change, WriteBatch writes) throws RocksDBException {
      byte[] record = change.record();
      if (record == null) {
        writes.delete(family(change.table()), change.key());
        return;
      }
      writes.put(family(change.table()), change.key(), record);
      if (change.kind() == TableBatch.Kind.INSERT) {
        for (TableIndex index : TableIndex.of(change.table())) {
          writes.put(family(index), entry(index, change.key(), record), change.key());
        }
      }
    }

    @Override
    public void close() {
      readOptions.close();
    }
  }
}
