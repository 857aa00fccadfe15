package org.loam.lsm.memory;

import org.loam.common.key.Heads;
import org.loam.common.mem.Mem;

/**
 * A node of the tree, addressed by its first byte: heads and references side by side, so that a
 * search touches few cache lines.
 *
 * <pre>
 *  offset  size  field
 *       0     8  version: odd while the writer changes the node, higher after it
 *       8     8  low: record whose key no key here is below; 0 = no bound
 *      16     8  high: record whose key every key here is below; 0 = no bound
 *      24     1  count of entries
 *      25     1  level, 0 = leaf
 *      26     2  prefixBytes: the heads begin behind so many bytes of the keys
 *      28  83*4  heads
 *     360  83*8  references: leaf, newest version of the key; above, child
 * </pre>
 *
 * <p>A head is the first half of what {@link Heads} makes of a key: four bytes. All keys between
 * the bounds share the bounds' common prefix, which the heads may therefore leave out. Equal heads
 * are resolved by the whole keys. An entry of an inner node stands for the child's low key; entry 0
 * is never compared.
 *
 * <p>The low bound and the level never change; splits move the high bound down. A reader takes the
 * version, reads, and validates the version before it uses a reference as an address.
 */
final class Node {
  static final int BYTES = 1024;
  static final int CAPACITY = 83;

  /** Returned by searches: the node changed meanwhile, start again from the root. */
  static final int CHANGED = Integer.MIN_VALUE;

  /** The head of an entry that is never compared. */
  static final int NO_HEAD = 0;

  private static final int LOW_OFFSET = 8;
  private static final int HIGH_OFFSET = 16;
  private static final int COUNT_OFFSET = 24;
  private static final int LEVEL_OFFSET = 25;
  private static final int PREFIX_OFFSET = 26;
  private static final int HEADS_OFFSET = 28;
  private static final int REFS_OFFSET = 360;

  /** Nodes begin with a cache line, which the header shares with the first heads. */
  private static final int CACHE_LINE_BYTES = 64;

  private static final int HEADS_PER_LINE = CACHE_LINE_BYTES / 4;

  /** The last head of the first line. */
  private static final int FIRST_LINE_END = (CACHE_LINE_BYTES - HEADS_OFFSET) / 4 - 1;

  /** What lies in the places of heads that are free: it is below no head. */
  private static final int FREE = Integer.MAX_VALUE;

  private Node() {}

  static void initialise(long node, int level, int prefixBytes, long low, long high) {
    Mem.putLong(node, 0);
    Mem.putByte(node + LEVEL_OFFSET, (byte) level);
    Mem.putShort(node + PREFIX_OFFSET, (short) prefixBytes);
    Mem.putLong(node + LOW_OFFSET, low);
    Mem.putLong(node + HIGH_OFFSET, high);
    cut(node, 0);
  }

  /** For a reader: the version, odd if the node is being changed. */
  static long version(long node) {
    return Mem.getLongVolatile(node);
  }

  /** For a reader: whether all reads since {@link #version} saw one state of the node. */
  static boolean isUnchanged(long node, long version) {
    Mem.loadFence();
    return Mem.getLongVolatile(node) == version;
  }

  static void lock(long node) {
    Mem.putLong(node, Mem.getLong(node) + 1);
    Mem.storeFence();
  }

  static void unlock(long node) {
    Mem.putLongRelease(node, Mem.getLong(node) + 1);
  }

  /**
   * Brings header and heads near to the processor, all lines at once.
   *
   * @return anything
   */
  static long load(long node) {
    long sum = 0;
    for (int line = 0; line <= REFS_OFFSET; line += CACHE_LINE_BYTES) {
      sum += Mem.getLong(node + line);
    }
    return sum;
  }

  /** The number of entries, never more than the node can have. */
  static int count(long node) {
    return Math.min(Mem.getByte(node + COUNT_OFFSET) & 0xff, CAPACITY);
  }

  static int level(long node) {
    return Mem.getByte(node + LEVEL_OFFSET);
  }

  static int prefixBytes(long node) {
    return Mem.getShort(node + PREFIX_OFFSET) & 0xffff;
  }

  static long low(long node) {
    return Mem.getLong(node + LOW_OFFSET);
  }

  static long high(long node) {
    return Mem.getLong(node + HIGH_OFFSET);
  }

  static long ref(long node, int index) {
    return Mem.getLong(node + REFS_OFFSET + 8L * index);
  }

  static void setHigh(long node, long high) {
    Mem.putLong(node + HIGH_OFFSET, high);
  }

  static void setPrefixBytes(long node, int prefixBytes) {
    Mem.putShort(node + PREFIX_OFFSET, (short) prefixBytes);
  }

  /** Leaves out the entries behind the first ones. */
  static void cut(long node, int count) {
    setCount(node, count);
    for (int i = count; i < CAPACITY; i++) {
      setHead(node, i, FREE);
    }
  }

  private static void setCount(long node, int count) {
    Mem.putByte(node + COUNT_OFFSET, (byte) count);
  }

  private static int head(long node, int index) {
    return Mem.getInt(node + HEADS_OFFSET + 4L * index);
  }

  static void setHead(long node, int index, int head) {
    Mem.putInt(node + HEADS_OFFSET + 4L * index, head);
  }

  /** Replaces a reference at once: readers see the old or the new one, and what it points to. */
  static void setRef(long node, int index, long ref) {
    Mem.putLongRelease(node + REFS_OFFSET + 8L * index, ref);
  }

  /** Inserts an entry into a locked or unpublished node that is not full. */
  static void insert(long node, int index, int head, long ref) {
    int count = count(node);
    move(node, index, node, index + 1, count - index);
    setHead(node, index, head);
    Mem.putLong(node + REFS_OFFSET + 8L * index, ref);
    setCount(node, count + 1);
  }

  /** Removes an entry from a locked node. */
  static void remove(long node, int index) {
    int count = count(node);
    move(node, index + 1, node, index, count - index - 1);
    setHead(node, count - 1, FREE);
    setCount(node, count - 1);
  }

  /** Moves the entries from an index on into an empty node. */
  static void moveEnd(long from, int index, long to) {
    int count = count(from) - index;
    move(from, index, to, 0, count);
    setCount(to, count);
    cut(from, index);
  }

  /** Copies entries; the ranges may overlap. */
  private static void move(long from, int fromIndex, long to, int toIndex, int count) {
    if (count > 0) {
      Mem.copy(from + HEADS_OFFSET + 4L * fromIndex, to + HEADS_OFFSET + 4L * toIndex, 4L * count);
      Mem.copy(from + REFS_OFFSET + 8L * fromIndex, to + REFS_OFFSET + 8L * toIndex, 8L * count);
    }
  }

  /** Whether two neighbours have the same head, so that searches must look at whole keys. */
  static boolean hasEqualHeads(long node) {
    for (int i = level(node) == 0 ? 1 : 2; i < count(node); i++) {
      if (head(node, i) == head(node, i - 1)) {
        return true;
      }
    }
    return false;
  }

  /** The record whose key entry {@code index} stands for; 0 for the first child of all. */
  static long keyRecord(long node, int index) {
    long ref = ref(node, index);
    return level(node) == 0 ? ref : low(ref);
  }

  /**
   * Searches a leaf.
   *
   * @return the entry with this key; or -1 - the index of the first with a greater key; or {@link
   *     #CHANGED}
   */
  static int searchLeaf(long node, long version, long key, int keyLength) {
    int index = firstCandidate(node, key, keyLength);
    return index < 0 ? index : searchKeys(node, version, index, key, keyLength);
  }

  /**
   * The second half of {@link #searchLeaf}: compares keys.
   *
   * @param candidate what {@link #firstCandidate} found, not negative
   */
  static int searchKeys(long node, long version, int candidate, long key, int keyLength) {
    int prefixBytes = prefixBytes(node);
    int count = count(node);
    int from = candidate;
    int to = firstAbove(node, 0, from, head(node, from));
    // The last of all first: keys that ascend come behind it.
    int middle = to == count ? to - 1 : (from + to) >>> 1;
    while (from < to) {
      long record = ref(node, middle);
      if (!isUnchanged(node, version)) {
        return CHANGED;
      }
      int order = compare(record, key, keyLength, prefixBytes);
      if (order == 0) {
        return middle;
      } else if (order < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
      middle = (from + to) >>> 1;
    }
    return -1 - from;
  }

  /**
   * The first half of {@link #searchLeaf}: compares heads.
   *
   * @return the first entry with the head of a key, if there is one; or what {@link #searchLeaf}
   *     returns then
   */
  static int firstCandidate(long node, long key, int keyLength) {
    int head = headOf(key, keyLength, prefixBytes(node));
    int count = count(node);
    int index = firstNotBelow(node, 0, head);
    return index < count && head(node, index) == head ? index : -1 - index;
  }

  /**
   * Searches an inner node for the child that may have a key, or with {@code before} for the last
   * child that may have a smaller one.
   *
   * @return the entry of the child; or {@link #CHANGED}
   */
  static int searchInner(long node, long version, long key, int keyLength, boolean before) {
    int prefixBytes = prefixBytes(node);
    int head = headOf(key, keyLength, prefixBytes);
    int from = firstNotBelow(node, 1, head);
    int to = firstAbove(node, 1, from, head);
    while (from < to) {
      int middle = (from + to) >>> 1;
      long child = ref(node, middle);
      if (!isUnchanged(node, version)) {
        return CHANGED;
      }
      int order = compare(low(child), key, keyLength, prefixBytes);
      if (order < 0 || (order == 0 && !before)) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from - 1;
  }

  /**
   * The first entry from {@code first} on whose head is not below a head. Looks at the last head of
   * each cache line, at every fourth of one line, and at three beside each other, and counts: so no
   * load waits for memory but those of one line, and no branch must be guessed.
   */
  private static int firstNotBelow(long node, int first, int head) {
    int linesBelow = 0;
    for (int i = FIRST_LINE_END; i < CAPACITY; i += HEADS_PER_LINE) {
      linesBelow += isBelow(head(node, i), head);
    }
    int lineStart = FIRST_LINE_END + 1 - HEADS_PER_LINE + HEADS_PER_LINE * linesBelow;
    int line = Math.max(first, Math.min(lineStart, CAPACITY + 1 - HEADS_PER_LINE));
    int four =
        line
            + 4
                * (isBelow(head(node, line + 3), head)
                    + isBelow(head(node, line + 7), head)
                    + isBelow(head(node, line + 11), head));
    return four
        + isBelow(head(node, four), head)
        + isBelow(head(node, four + 1), head)
        + isBelow(head(node, four + 2), head);
  }

  /**
   * The first entry after those with a head.
   *
   * @param from what {@link #firstNotBelow} found with {@code first}
   */
  private static int firstAbove(long node, int first, int from, int head) {
    int count = count(node);
    if (from >= count || head(node, from) != head) {
      return from;
    }
    return head == FREE ? count : firstNotBelow(node, first, head + 1);
  }

  /** 1 if a head is below another, else 0. */
  private static int isBelow(int head, int other) {
    return head < other ? 1 : 0;
  }

  private static int compare(long record, long key, int keyLength, int skip) {
    return Mem.compare(
        MemoryRecord.keyAddress(record) + skip,
        MemoryRecord.keyLength(record) - skip,
        key + skip,
        keyLength - skip);
  }

  /** The head of a record's key behind {@code skip} bytes. */
  static int headOf(long record, int skip) {
    return headOf(MemoryRecord.keyAddress(record), MemoryRecord.keyLength(record), skip);
  }

  private static int headOf(long key, int keyLength, int skip) {
    return (int) (Heads.of(key, keyLength, skip) >> Integer.SIZE);
  }
}
