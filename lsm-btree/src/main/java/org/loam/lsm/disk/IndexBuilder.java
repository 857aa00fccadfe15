package org.loam.lsm.disk;

import org.loam.common.mem.Mem;

/**
 * Collects one separator for each leaf and builds the index above them at the end, level by level.
 *
 * <p>A separator is the shortest key that is above all keys left of it and not above those right of
 * it. Where the versions of one key span two leaves no key separates them: there the separator is
 * the key together with the highest LSN that belongs to the right.
 *
 * <p>Separators grow down from the end of their memory, each as its key followed by {@code i64 LSN
 * or -1 | u32 child page | u32 key length}, so that they can be read from the first to the last.
 * One thread.
 */
final class IndexBuilder {
  private static final int TRAILER_BYTES = 16;

  private final long top;
  private final long previousKey;
  private long low;
  private int separators;
  private int levels;

  /**
   * @param top the end of the memory for separators; the caller minds its limit
   * @param previousKey memory for the longest key
   */
  IndexBuilder(long top, long previousKey) {
    this.top = top;
    this.low = top;
    this.previousKey = previousKey;
  }

  /** The most bytes that one more separator takes. */
  static int maxSeparatorBytes(int pageBytes) {
    return SSTableOptions.maxKeyBytes(pageBytes) + TRAILER_BYTES;
  }

  /**
   * Adds the separator left of a leaf.
   *
   * @param lsn the highest LSN of this key that belongs to the leaf, or -1 for all
   */
  void add(long key, int keyLength, long lsn, int leafPageNo) {
    low = put(low, key, keyLength, lsn, leafPageNo);
    separators++;
  }

  private static long put(long end, long key, int keyLength, long lsn, int child) {
    long start = end - TRAILER_BYTES - keyLength;
    if (keyLength > 0) {
      // Source and target overlap when a level takes the place of the level below.
      Mem.copy(key, start, keyLength);
    }
    Mem.putLong(end - 16, lsn);
    Mem.putInt(end - 8, child);
    Mem.putInt(end - 4, keyLength);
    return start;
  }

  /** The lowest address used. */
  long low() {
    return low;
  }

  /** The levels above the leaves. */
  int levels() {
    return levels;
  }

  /**
   * Writes all index pages.
   *
   * @return the root, the only leaf if there is no index
   */
  int write(PageOutput output, PageBuilder builder) {
    int root = Mem.getInt(top - 8);
    while (separators > 1) {
      root = writeLevel(output, builder);
      levels++;
    }
    return root;
  }

  /** Writes one level, turns the separators into those of the next, returns its last page. */
  private int writeLevel(PageOutput output, PageBuilder builder) {
    long at = top;
    long next = top;
    int nextCount = 0;
    int previousLength = 0;
    long page = 0;
    for (int i = 0; i < separators; i++) {
      long lsn = Mem.getLong(at - 16);
      int child = Mem.getInt(at - 8);
      int length = Mem.getInt(at - 4);
      long key = at - TRAILER_BYTES - length;
      at = key;
      int meta = lsn < 0 ? 0 : KeyedPage.HAS_LSN;
      int common = Mem.mismatch(previousKey, key, Math.min(previousLength, length));
      KeyBytes.copy(key, previousKey, length);
      previousLength = length;
      if (page == 0 || !builder.fits(length, common, meta, lsn, KeyedPage.CHILD_BYTES)) {
        if (page != 0) {
          finish(output, builder, page);
        }
        page = output.open();
        builder.begin(page);
        next = put(next, key, length, lsn, output.pageNoOf(page));
        nextCount++;
      }
      long value = builder.add(previousKey, length, common, meta, lsn, KeyedPage.CHILD_BYTES);
      Mem.putInt(value, child);
    }
    int last = output.pageNoOf(page);
    finish(output, builder, page);
    low = next;
    separators = nextCount;
    return last;
  }

  private static void finish(PageOutput output, PageBuilder builder, long page) {
    builder.finish(PageType.INDEX, 0);
    output.seal(page);
  }
}
