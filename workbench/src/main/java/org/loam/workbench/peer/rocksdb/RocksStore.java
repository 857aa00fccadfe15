package org.loam.workbench.peer.rocksdb;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.loam.workbench.peer.Store;
import org.loam.workbench.peer.StoreSettings;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** RocksDB behind the interface of the benchmark: a column family for each tree. */
final class RocksStore extends RocksEngine implements Store {
  private static final int MAX_READ_AHEAD_BYTES = 128 << 10;

  private final int maxValueBytes;

  RocksStore(StoreSettings settings, boolean direct) {
    this(settings, direct, memory(settings));
  }

  private RocksStore(StoreSettings settings, boolean direct, RocksMemory memory) {
    super(settings, new RocksOptions(memory, settings.trees(), direct), names(settings), memory);
    this.maxValueBytes = settings.maxValueBytes();
  }

  private static RocksMemory memory(StoreSettings settings) {
    return settings.engine().isEmpty()
        ? RocksMemory.halves(settings.memoryBytes(), settings.trees())
        : RocksMemory.charged(settings.memoryBytes(), settings.engine());
  }

  private static List<byte[]> names(StoreSettings settings) {
    if (settings.indexes() != 0) {
      throw new IllegalArgumentException("indexes = " + settings.indexes() + ", rule: none here");
    }
    List<byte[]> names = new ArrayList<>();
    names.add(RocksDB.DEFAULT_COLUMN_FAMILY);
    for (int i = 1; i < settings.trees(); i++) {
      names.add(("records-" + i).getBytes(StandardCharsets.UTF_8));
    }
    return names;
  }

  @Override
  public Session session() {
    return session(0);
  }

  @Override
  public Session session(int tree) {
    return new RocksSession(families.get(tree));
  }

  private final class RocksSession implements Session {
    private final ColumnFamilyHandle family;
    private final ReadOptions readOptions = new ReadOptions();
    private final byte[] scanKey = new byte[256];
    private final byte[] scanValue = new byte[maxValueBytes];

    RocksSession(ColumnFamilyHandle family) {
      this.family = family;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      try {
        db.put(family, writeOptions, key, value);
      } catch (RocksDBException e) {
        throw new RocksFailure(e);
      }
    }

    @Override
    public int get(byte[] key, byte[] target) {
      try {
        int length = db.get(family, readOptions, key, target);
        return length == RocksDB.NOT_FOUND ? ABSENT : length;
      } catch (RocksDBException e) {
        throw new RocksFailure(e);
      }
    }

    @Override
    public int scan(byte[] from, int limit, RecordSink sink) {
      // It is told how far the scan goes, as the others are: without that it is much slower.
      readOptions.setReadaheadSize(Math.min(MAX_READ_AHEAD_BYTES, (long) limit * maxValueBytes));
      try (RocksIterator iterator = db.newIterator(family, readOptions)) {
        int count = 0;
        for (iterator.seek(from); count < limit && iterator.isValid(); iterator.next()) {
          int keyLength = iterator.key(scanKey);
          int valueLength = iterator.value(scanValue);
          sink.record(scanKey, keyLength, scanValue, valueLength);
          count++;
        }
        iterator.status();
        return count;
      } catch (RocksDBException e) {
        throw new RocksFailure(e);
      }
    }

    @Override
    public void close() {
      readOptions.close();
    }
  }
}
