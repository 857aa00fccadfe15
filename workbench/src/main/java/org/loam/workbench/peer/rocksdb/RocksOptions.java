package org.loam.workbench.peer.rocksdb;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.HyperClockCache;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksObject;
import org.rocksdb.WriteBufferManager;

/**
 * The options of a fair rival. At 512 MiB: 256 MiB of block cache and four memtables of 64 MiB, a
 * base level of 256 MiB and files of 64 MiB; another memory keeps these proportions.
 *
 * <p>With many column families each memtable may still become as large, so that a popular family
 * has the memory that others leave; the limit on all together makes them flush. But what a memtable
 * takes before its first entry comes out of that limit, too: its filter, of which the default is a
 * part of the largest size, and the first block of its arena, 1 MiB by default. Both follow the
 * size that a memtable has in the mean.
 *
 * <p>No statistics object: its counters would cost reads a few per cent, and the bytes written come
 * from properties that the library keeps anyway.
 */
final class RocksOptions implements AutoCloseable {
  private static final int MEMTABLES = 4;
  private static final long MIB = 1 << 20;

  /** The part of the memory of memtables that their filters take. */
  private static final double FILTER_RATIO = 0.05;

  /** A memtable takes memory from the system in so many steps, but in none above 1 MiB. */
  private static final int ARENA_BLOCKS = 8;

  private final Deque<RocksObject> owned = new ArrayDeque<>();
  private final Options options;

  /**
   * @param families column families that share the memory
   * @param direct whether files bypass the page cache
   */
  RocksOptions(RocksMemory memory, int families, boolean direct) {
    RocksDB.loadLibrary();
    // Estimated entry charge 0: the cache finds out by itself; shard bits -1: its default.
    Cache cache = own(new HyperClockCache(memory.cacheBytes(), 0, -1, false));
    long memtableBytes = memory.memtablesBytes() / MEMTABLES;
    long meanBytes = Math.min(memtableBytes, memory.memtablesBytes() / families);
    this.options = own(new Options());
    options
        .setCreateIfMissing(true)
        .setTableFormatConfig(tableFormat(cache))
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setBottommostCompressionType(CompressionType.NO_COMPRESSION)
        // Memory for writes.
        .setWriteBufferSize(memtableBytes)
        .setMaxWriteBufferNumber(MEMTABLES)
        .setArenaBlockSize(Math.min(MIB, meanBytes / ARENA_BLOCKS))
        // A ratio to the largest size, whatever size a memtable reaches.
        .setMemtablePrefixBloomSizeRatio(FILTER_RATIO * meanBytes / memtableBytes)
        .setMemtableWholeKeyFiltering(true)
        .setEnablePipelinedWrite(true)
        .setAllowConcurrentMemtableWrite(true)
        // Levels.
        .setCompactionStyle(CompactionStyle.LEVEL)
        .setLevelCompactionDynamicLevelBytes(true)
        .setMaxBytesForLevelBase(MEMTABLES * memtableBytes)
        .setTargetFileSizeBase(memtableBytes)
        .setLevel0FileNumCompactionTrigger(4)
        .setLevel0SlowdownWritesTrigger(20)
        .setLevel0StopWritesTrigger(36)
        .setMaxBackgroundJobs(4)
        // Files.
        .setBytesPerSync(MIB)
        .setWalBytesPerSync(MIB)
        .setMaxOpenFiles(-1)
        .setUseDirectReads(direct)
        .setUseDirectIoForFlushAndCompaction(direct)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL);
    switch (memory.limit()) {
      case NONE -> {}
      case TOGETHER -> options.setDbWriteBufferSize(MEMTABLES * memtableBytes);
      case CHARGED ->
          options.setWriteBufferManager(
              own(new WriteBufferManager(memory.memtablesBytes(), cache, false)));
    }
  }

  /** The options of the database; its memtables together stay within half of the memory. */
  DBOptions database() {
    return own(new DBOptions(options)).setCreateMissingColumnFamilies(true);
  }

  /** The column families of some names. */
  List<ColumnFamilyDescriptor> families(List<byte[]> names) {
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    for (byte[] name : names) {
      families.add(new ColumnFamilyDescriptor(name, own(new ColumnFamilyOptions(options))));
    }
    return families;
  }

  private BlockBasedTableConfig tableFormat(Cache cache) {
    return new BlockBasedTableConfig()
        .setBlockCache(cache)
        .setBlockSize(4096)
        .setFormatVersion(6)
        .setFilterPolicy(own(new BloomFilter(10, false)))
        .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash)
        .setCacheIndexAndFilterBlocks(true)
        .setPinL0FilterAndIndexBlocksInCache(true)
        .setPinTopLevelIndexAndFilter(true);
  }

  private <T extends RocksObject> T own(T object) {
    owned.push(object);
    return object;
  }

  @Override
  public void close() {
    while (!owned.isEmpty()) {
      owned.pop().close();
    }
  }
}
