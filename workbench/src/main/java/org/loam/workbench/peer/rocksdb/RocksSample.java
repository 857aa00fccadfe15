package org.loam.workbench.peer.rocksdb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.loam.workbench.peer.Sample;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * What RocksDB's properties say. It keeps them without a statistics object; what only that one
 * counts, as hits of the block cache, is absent. Bytes come in gigabytes of six digits, so they are
 * exact to about a kilobyte.
 */
final class RocksSample {
  private static final double GIB = 1L << 30;

  private final RocksDB db;
  private final List<ColumnFamilyHandle> families;

  RocksSample(RocksDB db, List<ColumnFamilyHandle> families) {
    this.db = db;
    this.families = families;
  }

  /** Flushes and compactions of all levels, and the log. */
  long writtenBytes() throws RocksDBException {
    double gib = 0;
    for (ColumnFamilyHandle family : families) {
      gib += number(db.getMapProperty(family, "rocksdb.cfstats"), "compaction.Sum.WriteGB");
    }
    Map<String, String> whole = db.getMapProperty("rocksdb.dbstats");
    return (long) (gib * GIB) + (long) number(whole, "db.wal_bytes_written");
  }

  /**
   * The properties now.
   *
   * @param writeMemoryBytes given to memtables
   */
  Sample sample(long writeMemoryBytes) throws RocksDBException {
    List<Sample.L0> l0 = new ArrayList<>();
    double flushedGib = 0;
    double writtenGib = 0;
    for (ColumnFamilyHandle family : families) {
      Map<String, String> levels = db.getMapProperty(family, "rocksdb.cfstats");
      l0.add(new Sample.L0(ofL0(levels, "NumFiles"), ofL0(levels, "SizeBytes")));
      flushedGib += ofL0(levels, "WriteGB");
      writtenGib += number(levels, "compaction.Sum.WriteGB");
    }
    Map<String, String> whole = db.getMapProperty("rocksdb.dbstats");
    double pending = db.getAggregatedLongProperty("rocksdb.estimate-pending-compaction-bytes");
    return new Sample()
        .gauge(Sample.WRITE_MEMORY_USED_BYTES, aggregated("rocksdb.cur-size-all-mem-tables"))
        .gauge(Sample.WRITE_MEMORY_TARGET_BYTES, writeMemoryBytes)
        .gauge(Sample.OPEN_MERGES, number("rocksdb.num-running-compactions"))
        .l0(l0)
        .gauge(Sample.OWED_BYTES, pending + l0.stream().mapToDouble(Sample.L0::bytes).sum())
        .counter(Sample.FLUSHED_BYTES, flushedGib * GIB)
        .counter(Sample.MERGED_BYTES, (writtenGib - flushedGib) * GIB)
        .counter(Sample.LOGGED_BYTES, number(whole, "db.wal_bytes_written"))
        .counter(Sample.STALL_MILLIS + "ALL", number(whole, "db.user_write_stall_micros") / 1e3);
  }

  private double aggregated(String property) throws RocksDBException {
    return db.getAggregatedLongProperty(property);
  }

  /** One that is the whole database's, whichever family is asked. */
  private double number(String property) throws RocksDBException {
    return db.getLongProperty(property);
  }

  /** RocksDB leaves a level out as long as it has no files. */
  private static double ofL0(Map<String, String> levels, String name) {
    return Double.parseDouble(levels.getOrDefault("compaction.L0." + name, "0"));
  }

  private static double number(Map<String, String> properties, String name) {
    String value = properties.get(name);
    if (value == null) {
      throw new IllegalStateException("RocksDB reports no " + name + " among " + properties);
    }
    return Double.parseDouble(value);
  }
}
