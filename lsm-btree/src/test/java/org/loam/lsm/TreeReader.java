package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import java.util.TreeMap;
import org.loam.cache.ReadIntent;
import org.loam.common.error.ClosedException;

/** Reads a {@link ReadWorld}, and checks each answer. One thread. */
final class TreeReader implements AutoCloseable {
  private final ReadWorld world;
  private final PointRead read;
  private final Workspace workspace;

  TreeReader(ReadWorld world) {
    this.world = world;
    this.read = new PointRead(world.world.sizes.pageBytes());
    this.workspace = new Workspace(world.world.sizes.scratchBytes());
  }

  /** Looks for what is published, which is one of the states from now until it was found. */
  void getPublished(String key) {
    long from = world.reads().currentReadLsn();
    long value = get(PointRead.LATEST_PUBLISHED, key);
    long to = world.reads().currentReadLsn();
    boolean isRight = false;
    for (long readLsn = from; readLsn <= to; readLsn++) {
      isRight |= value == world.at(readLsn, key);
    }
    if (!isRight) {
      throw new AssertionError(key + " is " + value + " at none of " + from + " to " + to);
    }
  }

  /** Looks for what a read LSN shows that is registered. */
  void getAt(long readLsn, String key) {
    require(readLsn, key, get(readLsn, key));
  }

  private long get(long readLsn, String key) {
    byte[] bytes = key.getBytes(UTF_8);
    if (!read.find(world.tree, workspace.putKey(bytes), bytes.length, readLsn, ReadIntent.QUERY)) {
      return ReadWorld.ABSENT;
    }
    try {
      byte[] value = new byte[read.valueLength()];
      read.copyValue(value, 0, value.length);
      return Long.parseLong(new String(value, UTF_8));
    } finally {
      read.release();
    }
  }

  private void require(long readLsn, String key, long value) {
    if (value != world.at(readLsn, key)) {
      throw new AssertionError(
          key + " is " + value + " at " + readLsn + ", expected " + world.at(readLsn, key));
    }
  }

  /** Scans all that a read LSN shows. */
  void scanAt(long readLsn, boolean forward) {
    TreeScan.Range range =
        new TreeScan.Range(null, null, forward, ReadIntent.QUERY, Long.MAX_VALUE);
    TreeScan scan = new TreeScan(world.tree, range, readLsn, new ScanBatch());
    TreeMap<String, Long> rows = new TreeMap<>();
    while (TreeWorld.next(scan, workspace)) {
      Map.Entry<byte[], byte[]> row = TreeWorld.row(scan.batch());
      String key = new String(row.getKey(), UTF_8);
      boolean isInOrder =
          rows.isEmpty()
              || (forward ? rows.lastKey().compareTo(key) < 0 : rows.firstKey().compareTo(key) > 0);
      if (!isInOrder) {
        throw new AssertionError("key " + key + " after " + rows);
      }
      rows.put(key, Long.parseLong(new String(row.getValue(), UTF_8)));
    }
    for (String key : world.keys()) {
      require(readLsn, key, rows.getOrDefault(key, ReadWorld.ABSENT));
    }
  }

  /** Scans a tree that may be dropped meanwhile; then it says so, and never looks empty. */
  void scanBesideDrop(long readLsn) {
    try {
      scanAt(readLsn, true);
      scanAt(readLsn, false);
    } catch (ClosedException e) {
      if (!world.tree.isDropped()) {
        throw e;
      }
    }
  }

  @Override
  public void close() {
    workspace.close();
  }
}
