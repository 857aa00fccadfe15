package org.loam.it.bench;

import org.loam.common.codec.Crc32c;
import org.loam.common.env.real.RealEnv;
import org.loam.common.mem.Mem;
import org.loam.log.CommitLog.Appended;
import org.loam.log.LogConfig;
import org.loam.log.TransactionLog;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** An append to the log, which is truncated as it goes, so that its segments are used again. */
public class LogBench extends HotPath {
  /** A power of two: 16 MB of payloads of 1 KB, a quarter of a segment. */
  private static final int APPENDS_PER_TRUNCATION = 1 << 14;

  /** Bytes of a batch. */
  @Param("1024")
  public int payloadBytes;

  private BenchDirectory directory;
  private TransactionLog log;
  private long payload;
  private int crc;
  private int appends;

  /** Starts an empty log. */
  @Setup
  public void open() {
    directory = new BenchDirectory();
    payload = Mem.allocate(payloadBytes, 64);
    Mem.fill(payload, payloadBytes, (byte) 7);
    crc = Crc32c.of(payload, payloadBytes);
    log = TransactionLog.open(RealEnv.create(), directory.path(), LogConfig.DEFAULT, 1);
    log.replay(0, (lsn, endLsn, address, length) -> {});
    log.start(0);
  }

  /** Deletes it. */
  @TearDown
  public void close() {
    log.close();
    Mem.free(payload);
    directory.close();
  }

  /** One append; when the log thread cannot keep up it waits, which is not processor time. */
  @Benchmark
  public long append() {
    if ((++appends & (APPENDS_PER_TRUNCATION - 1)) == 0) {
      log.truncate(log.durableLsn());
    }
    while (log.append(payload, payloadBytes, crc) == Appended.NO_ROOM) {
      log.truncate(log.durableLsn());
      log.awaitRoom(payloadBytes, Long.MAX_VALUE);
    }
    return log.lastLsn();
  }
}
