package org.loam.workbench.peer.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.loam.workbench.peer.Measured;
import org.loam.workbench.peer.Sample;
import org.loam.workbench.peer.StoreSettings;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** RocksDB, as a benchmark opens and measures it. */
abstract class RocksEngine implements Measured, AutoCloseable {
  /** Open until {@link #close}, as are those below. */
  final RocksDB db;

  final List<ColumnFamilyHandle> families = new ArrayList<>();
  final WriteOptions writeOptions;

  private final RocksOptions options;
  private final long writeMemoryBytes;

  /**
   * Opens the database in a directory, or makes one.
   *
   * @param options closed with the engine
   * @param names of column families, in the order of the handles; the first is the default one
   */
  RocksEngine(
      StoreSettings settings, RocksOptions options, List<byte[]> names, RocksMemory memory) {
    this.options = options;
    this.writeMemoryBytes = memory.memtablesBytes();
    this.writeOptions = new WriteOptions().setSync(settings.durability() == Durability.SYNC);
    try {
      Files.createDirectories(settings.directory());
      String path = settings.directory().toString();
      this.db = RocksDB.open(options.database(), path, options.families(names), families);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RocksDBException e) {
      throw new RocksFailure(e);
    }
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
      return new RocksSample(db, families).sample(writeMemoryBytes);
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
  static final class RocksFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RocksFailure(RocksDBException cause) {
      super("RocksDB: " + cause.getMessage(), cause);
    }
  }
}
