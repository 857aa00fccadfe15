package org.loam.it.bench;

import org.loam.cache.CacheStatistics;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.ScanOptions;
import org.loam.engine.Tree;
import org.loam.workbench.workload.Keys;
import org.loam.workbench.workload.Values;

/** A small PROCESS database with one tree of benchmark records, which fit into the cache. */
final class BenchDatabase implements AutoCloseable {
  static final int RECORDS = 50_000;

  private final BenchDirectory directory = new BenchDirectory();
  private final Values values;
  final Engine engine;
  final Tree tree;
  private long missesWhenWarm;

  BenchDatabase(int valueBytes) {
    values = new Values(valueBytes);
    EngineConfig config =
        EngineConfig.builder()
            .memoryTotalBytes(256 << 20)
            .pageBytes(8 << 10)
            .durability(Durability.PROCESS)
            .tunerMode(TunerMode.FROZEN)
            .build();
    engine = Engine.open(directory.path(), config);
    tree = engine.createTree("bench");
    byte[] key = Keys.newBuffer();
    for (long index = 0; index < RECORDS; index++) {
      Keys.write(Keys.identity(index), key);
      tree.put(key, value(index));
    }
  }

  /** A value of a record; its size is that of all. */
  byte[] value(long index) {
    byte[] value = new byte[values.lengthBytes()];
    values.write(Keys.identity(index), 1, value);
    return value;
  }

  /** Brings everything to the last level on disk, and all its pages into the cache. */
  void warm() {
    tree.compact();
    byte[] key = Keys.newBuffer();
    byte[] value = new byte[values.lengthBytes()];
    for (long index = 0; index < RECORDS; index++) {
      Keys.write(Keys.identity(index), key);
      tree.get(key, value);
      Keys.write(Keys.identity(Keys.FIRST_ABSENT_INDEX + index), key);
      tree.get(key, value);
    }
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      while (cursor.next()) {
        cursor.copyValue(value, 0);
      }
    }
    missesWhenWarm = misses();
  }

  /** Fails if anything since {@link #warm} was read from disk: then it is not what was measured. */
  void requireWarm() {
    if (misses() != missesWhenWarm) {
      throw new AssertionError(misses() - missesWhenWarm + " pages were read from disk");
    }
  }

  private long misses() {
    CacheStatistics cache = engine.statistics().cache();
    return cache.misses().values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public void close() {
    engine.close();
    directory.close();
  }
}
