package org.loam.lsm.dataset;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.key.Direction;
import org.loam.common.key.KeyReader;

/**
 * The entries of a secondary index (StabilityExt §7): a key of the index, then the key of the
 * record; no value. Pure functions.
 */
public final class IndexEntries {
  private IndexEntries() {}

  /** Takes what an eager index has to do when a record changes. */
  public interface Changes {
    /** The entry comes to be. */
    void add(byte[] entry);

    /** The entry ends. */
    void remove(byte[] entry);
  }

  /**
   * What changes in an index when a record takes the place of another.
   *
   * @param before the old record, null if there was none
   * @param after the new record of the same key, null if there is none any more
   */
  public static void diff(
      IndexDefinition definition,
      @Nullable RecordView before,
      @Nullable RecordView after,
      Changes changes) {
    List<byte[]> old = before == null ? List.of() : IndexKeys.of(definition, before);
    List<byte[]> now = after == null ? List.of() : IndexKeys.of(definition, after);
    int i = 0;
    int j = 0;
    while (i < old.size() || j < now.size()) {
      int order = compare(old, i, now, j);
      if (order < 0) {
        changes.remove(entry(old.get(i), before));
      } else if (order > 0) {
        changes.add(entry(now.get(j), after));
      }
      i += order <= 0 ? 1 : 0;
      j += order >= 0 ? 1 : 0;
    }
  }

  /** The entries of a record, in order, each once. */
  public static List<byte[]> of(IndexDefinition definition, RecordView record) {
    return IndexKeys.of(definition, record).stream().map(key -> entry(key, record)).toList();
  }

  private static int compare(List<byte[]> old, int i, List<byte[]> now, int j) {
    if (i == old.size()) {
      return 1;
    }
    return j == now.size() ? -1 : Arrays.compareUnsigned(old.get(i), now.get(j));
  }

  /** The entry of a record, which is there, under one of its index keys. */
  private static byte[] entry(byte[] indexKey, @Nullable RecordView record) {
    if (record == null) {
      throw new AssertionError("an index key of no record");
    }
    byte[] key = record.key();
    byte[] entry = Arrays.copyOf(indexKey, indexKey.length + key.length);
    System.arraycopy(key, 0, entry, indexKey.length, key.length);
    return entry;
  }

  /**
   * Where the record's key begins in an entry.
   *
   * @throws org.loam.common.error.CorruptionException if it does not begin with the index's parts
   */
  public static int keyOffset(List<Direction> parts, byte[] entry) {
    KeyReader reader = new KeyReader(entry);
    for (Direction direction : parts) {
      reader.skip(direction);
    }
    return reader.position();
  }
}
