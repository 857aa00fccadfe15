package org.loam.it.bench;

import java.util.SplittableRandom;
import org.loam.common.mem.Mem;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.read.EntryCursor;
import org.loam.workbench.workload.Keys;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** A memory component of records in random key order: what a record costs to write and to find. */
public class MemoryComponentBench extends HotPath {
  private static final int RECORDS = 100_000;

  /** Bytes of a value. */
  @Param("100")
  public int valueBytes;

  private final SplittableRandom random = new SplittableRandom(1);
  private BenchRecords records;
  private MemoryComponent component;

  /** Fills the component that is read. */
  @Setup
  public void open() {
    records = new BenchRecords(RECORDS, valueBytes, 2);
    component = records.fill(0, 1);
  }

  /** Frees it. */
  @TearDown
  public void close() {
    records.close();
  }

  /**
   * Copying a record in, reserving nodes and inserting it, while the component grows from empty.
   */
  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public void insert() {
    records.fill(0, 1).release();
  }

  /** A lookup of a key that is there. */
  @Benchmark
  public long find() {
    long key = records.key(random.nextInt(RECORDS));
    long record = component.find(key, Keys.LENGTH_BYTES, Long.MAX_VALUE);
    if (record <= 0) {
      throw new AssertionError("not found");
    }
    return record;
  }

  /** A step of a cursor over all of it. */
  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public long scan() {
    long sum = 0;
    try (EntryCursor cursor = component.cursor(Long.MAX_VALUE)) {
      for (boolean more = cursor.first(); more; more = cursor.next()) {
        sum += Mem.getByte(cursor.keyAddress()) + cursor.valueLength();
      }
    }
    return sum;
  }
}
