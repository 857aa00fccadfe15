package org.loam.workbench.peer.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import org.loam.workbench.peer.Store;
import org.loam.workbench.peer.StoreSettings;
import org.loam.workbench.peer.StoreSettings.Durability;
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
  private final RocksOptions options;
  private final WriteOptions writeOptions;
  private final RocksDB db;

  RocksStore(StoreSettings settings, boolean direct) {
    RocksDB.loadLibrary();
    this.maxValueBytes = settings.maxValueBytes();
    this.options = new RocksOptions(settings, direct);
    this.writeOptions = new WriteOptions().setSync(settings.durability() == Durability.SYNC);
    try {
      Files.createDirectories(settings.directory());
      this.db = RocksDB.open(options.options(), settings.directory().toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RocksDBException e) {
      throw new RocksFailure(e);
    }
  }

  @Override
  public Session session() {
    return new RocksSession();
  }

  @Override
  public void flush() {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      db.flush(flush);
    } catch (RocksDBException e) {
      throw new RocksFailure(e);
    }
  }

  /** Flushes and compactions of all levels, and the log. */
  @Override
  public long bytesWritten() {
    try {
      Map<String, String> levels = db.getMapProperty("rocksdb.cfstats");
      Map<String, String> whole = db.getMapProperty("rocksdb.dbstats");
      double gib = Double.parseDouble(required(levels, "compaction.Sum.WriteGB"));
      long logBytes = Long.parseLong(required(whole, "db.wal_bytes_written"));
      return (long) (gib * (1L << 30)) + logBytes;
    } catch (RocksDBException e) {
      throw new RocksFailure(e);
    }
  }

  private static String required(Map<String, String> properties, String name) {
    String value = properties.get(name);
    if (value == null) {
      throw new IllegalStateException("RocksDB reports no " + name + " among " + properties);
    }
    return value;
  }

  @Override
  public void close() {
    try {
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
    private final ReadOptions readOptions = new ReadOptions();
    private final byte[] scanKey = new byte[256];
    private final byte[] scanValue = new byte[maxValueBytes];

    @Override
    public void put(byte[] key, byte[] value) {
      try {
        db.put(writeOptions, key, value);
      } catch (RocksDBException e) {
        throw new RocksFailure(e);
      }
    }

    @Override
    public int get(byte[] key, byte[] target) {
      try {
        int length = db.get(readOptions, key, target);
        return length == RocksDB.NOT_FOUND ? ABSENT : length;
      } catch (RocksDBException e) {
        throw new RocksFailure(e);
      }
    }

    @Override
    public int scan(byte[] from, int limit, RecordSink sink) {
      // It is told how far the scan goes, as the others are: without that it is much slower.
      readOptions.setReadaheadSize(Math.min(MAX_READ_AHEAD_BYTES, (long) limit * maxValueBytes));
      try (RocksIterator iterator = db.newIterator(readOptions)) {
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
