package org.loam.it.bench;

import org.loam.engine.host.HostCursor;
import org.loam.engine.host.HostScan;
import org.loam.workbench.workload.Keys;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A row of a host's scan of all records, which are in the cache. The row goes on as in AsterixDB:
 * to a buffer for one tuple, and from there to a frame.
 */
public class HostScanBench extends HotPath {
  private static final int FRAME_BYTES = 32 << 10;

  /** Bytes of a value. */
  @Param({"100", "1000"})
  public int valueBytes;

  /** One record in so many was written again, and lies in a run of its own; 0 for none. */
  @Param({"0", "10", "3"})
  public int rewrittenOneIn;

  private final byte[] tuple = new byte[FRAME_BYTES];
  private final byte[] frame = new byte[FRAME_BYTES];
  private BenchDatabase database;

  /** Loads the records and reads each of them. */
  @Setup
  public void open() {
    database = new BenchDatabase(valueBytes);
    database.engine.configure("l0.mergeWhenQuiet", "false");
    database.warm();
    byte[] key = Keys.newBuffer();
    for (long i = 0; rewrittenOneIn > 0 && i < BenchDatabase.RECORDS; i += rewrittenOneIn) {
      Keys.write(Keys.identity(i), key);
      database.tree.put(key, database.value(i));
    }
    database.tree.flush();
    scan();
    scan();
  }

  @TearDown
  public void close() {
    database.close();
  }

  /** All rows. */
  @Benchmark
  @OperationsPerInvocation(BenchDatabase.RECORDS)
  public int scan() {
    int rows = 0;
    int used = 0;
    try (HostCursor cursor = database.tree.host().scan(HostScan.all())) {
      while (cursor.next()) {
        int keyLength = cursor.keyLength();
        int length = keyLength + cursor.valueLength();
        System.arraycopy(cursor.keyArray(), cursor.keyOffset(), tuple, 0, keyLength);
        System.arraycopy(
            cursor.valueArray(), cursor.valueOffset(), tuple, keyLength, length - keyLength);
        used = used + length > FRAME_BYTES ? 0 : used;
        System.arraycopy(tuple, 0, frame, used, length);
        used += length;
        rows++;
      }
    }
    if (rows != BenchDatabase.RECORDS) {
      throw new AssertionError("found " + rows + " rows");
    }
    return used;
  }
}
