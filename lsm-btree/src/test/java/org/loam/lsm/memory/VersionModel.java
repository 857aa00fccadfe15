package org.loam.lsm.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a component should hold, kept as plainly as possible; drops no version. */
final class VersionModel implements VersionRetention {
  final NavigableMap<byte[], TreeMap<Long, byte[]>> keys = new TreeMap<>(Arrays::compareUnsigned);
  final TreeSet<Long> registered = new TreeSet<>();
  private final Map<Long, byte[]> keyOfLsn = new HashMap<>();
  long published;

  @Override
  public boolean needs(long olderLsn, long newerLsn) {
    if (newerLsn > published) {
      return true;
    }
    Long reader = registered.ceiling(olderLsn);
    return reader != null && reader < newerLsn;
  }

  void put(byte[] key, byte[] value, long lsn) {
    keys.computeIfAbsent(key, k -> new TreeMap<>()).put(lsn, value);
    keyOfLsn.put(lsn, key);
  }

  void undo(byte[] key) {
    TreeMap<Long, byte[]> versions = keys.get(key);
    versions.pollLastEntry();
    if (versions.isEmpty()) {
      keys.remove(key);
    }
  }

  byte[] keyOf(long lsn) {
    return keyOfLsn.get(lsn);
  }

  /** The LSN of the version visible at a read LSN; null if there is none. */
  @Nullable Long visible(byte[] key, long readLsn) {
    TreeMap<Long, byte[]> versions = keys.get(key);
    return versions == null ? null : versions.floorKey(readLsn);
  }

  byte[] value(byte[] key, long lsn) {
    return keys.get(key).get(lsn);
  }

  /** Key, LSN and value of all that is visible at a read LSN, as text. */
  List<String> scan(long readLsn) {
    List<String> rows = new ArrayList<>();
    for (byte[] key : keys.keySet()) {
      Long lsn = visible(key, readLsn);
      if (lsn != null) {
        rows.add(row(key, lsn, value(key, lsn)));
      }
    }
    return rows;
  }

  /** All that a version cursor shows, as text. */
  List<String> versions() {
    List<String> rows = new ArrayList<>();
    keys.forEach(
        (key, versions) -> {
          long newer = Long.MAX_VALUE;
          for (Map.Entry<Long, byte[]> version : versions.descendingMap().entrySet()) {
            long lsn = version.getKey();
            if (newer == Long.MAX_VALUE || needs(lsn, newer)) {
              rows.add(row(key, lsn, version.getValue()));
              newer = lsn;
            }
          }
        });
    return rows;
  }

  static String row(byte[] key, long lsn, byte[] value) {
    return Fixture.text(key) + "@" + lsn + "=" + Fixture.text(value);
  }
}
