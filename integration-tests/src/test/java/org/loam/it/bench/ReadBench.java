package org.loam.it.bench;

import java.util.SplittableRandom;
import org.loam.engine.Cursor;
import org.loam.engine.ScanOptions;
import org.loam.engine.Tree;
import org.loam.workbench.workload.Keys;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Reads of records that are on disk and in the cache, into buffers of the caller's. */
public class ReadBench extends HotPath {
  private static final int ROWS = 100;

  /** Bytes of a value. */
  @Param({"100", "1000"})
  public int valueBytes;

  private final SplittableRandom random = new SplittableRandom(1);
  private final byte[] key = Keys.newBuffer();
  private byte[] value;
  private BenchDatabase database;

  /** Loads the records and reads each of them. */
  @Setup
  public void open() {
    database = new BenchDatabase(valueBytes);
    value = new byte[valueBytes];
    database.warm();
  }

  /** Checks that all was answered from the cache, and deletes the records. */
  @TearDown
  public void close() {
    database.requireWarm();
    database.close();
  }

  /** A get of a key that is there. */
  @Benchmark
  public int get() {
    Keys.write(Keys.identity(random.nextInt(BenchDatabase.RECORDS)), key);
    return require(database.tree.get(key, value), valueBytes);
  }

  /** A get of a key that is not there, among those that are. */
  @Benchmark
  public int getAbsent() {
    long index = Keys.FIRST_ABSENT_INDEX + random.nextInt(BenchDatabase.RECORDS);
    Keys.write(Keys.identity(index), key);
    return require(database.tree.get(key, value), Tree.ABSENT);
  }

  /** A seek, and a hundred rows copied out. In the lower half of the keys, so that none is last. */
  @Benchmark
  public int seekAnd100Rows() {
    Keys.write(random.nextLong() >>> 1, key);
    int bytes = 0;
    try (Cursor cursor = database.tree.scan(ScanOptions.all().from(key).limit(ROWS))) {
      for (int row = 0; row < ROWS && cursor.next(); row++) {
        bytes += cursor.copyKey(key, 0) + cursor.copyValue(value, 0);
      }
    }
    return require(bytes, ROWS * (Keys.LENGTH_BYTES + valueBytes));
  }

  private static int require(int found, int expected) {
    if (found != expected) {
      throw new AssertionError("found " + found + ", expected " + expected);
    }
    return found;
  }
}
