package org.loam.lsm.version;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.key.Heads;
import org.loam.common.mem.Mem;
import org.loam.scheduler.merge.Component;
import org.loam.scheduler.merge.KeyRange;

/** Disjoint SSTables in key order: a group of L0, or a level. Immutable. */
public final class SortedRun {
  private final int level;
  private final LiveTable[] tables;
  private final long[] maxHeads;
  private final List<Component> components;
  private final long bytes;
  private final long entries;

  /**
   * @param level 0 for a group of L0, otherwise the level's id
   */
  public SortedRun(int level, List<LiveTable> tables) {
    this.level = level;
    this.tables = tables.toArray(LiveTable[]::new);
    Arrays.sort(
        this.tables,
        Comparator.comparing(t -> t.component().range().min(), Arrays::compareUnsigned));
    this.maxHeads = new long[this.tables.length];
    List<Component> list = new ArrayList<>(this.tables.length);
    for (int i = 0; i < this.tables.length; i++) {
      maxHeads[i] = Heads.of(this.tables[i].component().range().max());
      list.add(this.tables[i].component());
    }
    this.bytes = list.stream().mapToLong(Component::bytes).sum();
    this.entries = tables.stream().mapToLong(t -> t.table().meta().counts().entries()).sum();
    this.components = List.copyOf(list);
  }

  public int level() {
    return level;
  }

  public int size() {
    return tables.length;
  }

  /** Bytes of its tables. */
  public long bytes() {
    return bytes;
  }

  /** Entries of its tables, all versions and anti-matter counted. */
  public long entries() {
    return entries;
  }

  /** The table at a 0-based position in key order. */
  public LiveTable table(int index) {
    return tables[index];
  }

  /** Whether some table may have keys of a range. */
  boolean overlaps(KeyRange range) {
    return !Component.overlapping(components, range).isEmpty();
  }

  /** Adds the tables to a list, in key order. */
  public void addTo(List<LiveTable> list) {
    list.addAll(Arrays.asList(tables));
  }

  /** The tables as merge policies see them, in key order. */
  public List<Component> components() {
    return components;
  }

  /**
   * Position of the first table whose largest key is at or after the key; {@code size()} if none.
   */
  public int firstReaching(long keyAddress, int keyLength, long head) {
    int low = 0;
    int high = tables.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (endsBefore(middle, keyAddress, keyLength, head)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private boolean endsBefore(int index, long keyAddress, int keyLength, long head) {
    if (maxHeads[index] != head) {
      return maxHeads[index] < head;
    }
    byte[] max = tables[index].component().range().max();
    return Mem.compare(max, 0, max.length, keyAddress, keyLength) < 0;
  }

  /** The one table that may hold the key, or null; {@code head} is its {@linkplain Heads head}. */
  @Nullable LiveTable find(long keyAddress, int keyLength, long head) {
    int at = firstReaching(keyAddress, keyLength, head);
    if (at == tables.length) {
      return null;
    }
    byte[] min = tables[at].component().range().min();
    return Mem.compare(min, 0, min.length, keyAddress, keyLength) > 0 ? null : tables[at];
  }
}
