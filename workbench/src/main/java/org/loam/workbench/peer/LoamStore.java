package org.loam.workbench.peer;

import java.util.Comparator;
import java.util.Optional;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.ScanOptions;
import org.loam.engine.Tree;
import org.loam.engine.TreeOptions;
import org.loam.scheduler.run.StallLog;
import org.loam.workbench.workload.Keys;

/**
 * Loam behind the interface of the benchmark. Its tree knows the prefix that all keys have in
 * common, as an application would tell it.
 */
final class LoamStore implements Store {
  private static final String TREE = "records";

  /** Seven records of 1 KiB to a page waste less than three, and a miss reads less than 16 KiB. */
  private static final int PAGE_BYTES = 8 << 10;

  private final int maxValueBytes;
  private final Engine engine;
  private final Tree tree;

  LoamStore(StoreSettings settings) {
    this.maxValueBytes = settings.maxValueBytes();
    EngineConfig config =
        EngineConfig.builder()
            .memoryTotalBytes(settings.memoryBytes())
            .pageBytes(PAGE_BYTES)
            .durability(
                switch (settings.durability()) {
                  case PROCESS -> Durability.PROCESS;
                  case SYNC -> Durability.SYNC;
                })
            .build();
    this.engine = Engine.open(settings.directory(), config);
    this.tree =
        engine.hasTree(TREE)
            ? engine.tree(TREE)
            : engine.createTree(TREE, new TreeOptions(Keys.PREFIX.length()));
  }

  @Override
  public Session session() {
    return new LoamSession();
  }

  @Override
  public void flush() {
    engine.flush();
  }

  @Override
  public long bytesWritten() {
    return engine.statistics().writtenBytes();
  }

  @Override
  public Optional<String> longestWaitSince(long nanoTime) {
    return engine.statistics().stalls().recent().stream()
        .filter(stall -> stall.startNanos() - nanoTime >= 0)
        .max(Comparator.comparingLong(StallLog.Event::durationNanos))
        .map(stall -> stall.cause() + ", " + stall.durationNanos() / 1_000_000 + " ms");
  }

  @Override
  public void close() {
    engine.close();
  }

  private final class LoamSession implements Session {
    private final byte[] scanKey = new byte[256];
    private final byte[] scanValue = new byte[maxValueBytes];

    @Override
    public void put(byte[] key, byte[] value) {
      tree.put(key, value);
    }

    @Override
    public int get(byte[] key, byte[] target) {
      int length = tree.get(key, target);
      return length == Tree.ABSENT ? Store.ABSENT : length;
    }

    @Override
    public int scan(byte[] from, int limit, RecordSink sink) {
      int count = 0;
      try (Cursor cursor = tree.scan(ScanOptions.all().from(from).limit(limit))) {
        while (cursor.next()) {
          int keyLength = cursor.copyKey(scanKey, 0);
          int valueLength = cursor.copyValue(scanValue, 0);
          sink.record(scanKey, keyLength, scanValue, valueLength);
          count++;
        }
      }
      return count;
    }

    @Override
    public void close() {
      // Nothing is held between calls.
    }
  }
}
