package org.loam.workbench.peer.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.loam.workbench.peer.Sample;
import org.loam.workbench.peer.Store;
import org.loam.workbench.peer.StoreSettings;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;

/** RocksDB behind the interface of the benchmark. */
final class RocksStore implements Store {
  private static final int MAX_READ_AHEAD_BYTES = 128 << 10;

  private final int maxValueBytes;
  private final long memoryBytes;
  private final RocksOptions options;
  private final WriteOptions writeOptions;
  private final RocksDB db;
  private final List<ColumnFamilyHandle> families = new ArrayList<>();

  RocksStore(StoreSettings settings, boolean direct) {
    if (!settings.engine().isEmpty()) {
      throw new IllegalArgumentException("settings = " + settings.engine() + ", rule: none here");
    }
    if (settings.indexes() != 0) {
      throw new IllegalArgumentException("indexes = " + settings.indexes() + ", rule: none here");
    }
    RocksDB.loadLibrary();
    this.maxValueBytes = settings.maxValueBytes();
    this.memoryBytes = settings.memoryBytes();
    this.options = new RocksOptions(settings, direct);
    this.writeOptions = new WriteOptions().setSync(settings.durability() == Durability.SYNC);
    try {
      Files.createDirectories(settings.directory());
      String path = settings.directory().toString();
      this.db = RocksDB.open(options.database(), path, options.families(settings), families);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RocksDBException e) {
      throw new RocksFailure(e);
    }
  }

  @Override
  public Session session() {
    return session(0);
  }

  @Override
  public Session session(int tree) {
    return new RocksSession(families.get(tree));
  }

  @Override
  public void flush() {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      db.flush(flush, families);
    } catch (RocksDBException e) {
      throw new RocksFailure(e);
    }
  }

  /** Flushes and compactions of all levels, and the log. */
  @Override
  public long bytesWritten() {
    try {
      return new RocksSample(db, families).writtenBytes();
    } catch (RocksDBException e) {
      throw new RocksFailure(e);
    }
  }

  @Override
  public Sample sample() {
    try {
      return new RocksSample(db, families).sample(memoryBytes / 2);
    } catch (RocksDBException e) {
      throw new RocksFailure(e);
    }
  }

  @Override
  public void close() {
    try {
      families.forEach(ColumnFamilyHandle::close);
      db.closeE();
    } catch (RocksDBException e) {
      throw new RocksFailure(e);
    } finally {
      writeOptions.close();
      options.close();
    }
  }

  /** A fault that the library reported. */
  private static final class RocksFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RocksFailure(RocksDBException cause) {
      super("RocksDB: " + cause.getMessage(), cause);
    }
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
