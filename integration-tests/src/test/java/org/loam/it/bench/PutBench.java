package org.loam.it.bench;

import org.loam.workbench.workload.Keys;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A write of one record in a PROCESS database, over records that are there, in random key order.
 */
public class PutBench extends HotPath {
  /** Bytes of a value. */
  @Param("1000")
  public int valueBytes;

  private final byte[] key = Keys.newBuffer();
  private BenchDatabase database;
  private byte[] value;
  private long next;

  /** Loads the records. */
  @Setup
  public void open() {
    database = new BenchDatabase(valueBytes);
    value = database.value(0);
  }

  /** Deletes them. */
  @TearDown
  public void close() {
    database.close();
  }

  /** One put. */
  @Benchmark
  public void put() {
    Keys.write(Keys.identity(next), key);
    next = (next + 1) % BenchDatabase.RECORDS;
    database.tree.put(key, value);
  }
}
