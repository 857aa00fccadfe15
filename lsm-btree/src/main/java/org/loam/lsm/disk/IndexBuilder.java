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
 *
 * <p>A file can be ended before a key that is too much for the memory, but not among the versions
 * of one, of which there may be any number. The last pages of a level may therefore be
 * <em>unlisted</em>: all of them begin with an older version of the file's last key, so that their
 * separators can be had from the pages themselves, which are read again for the level above. There
 * the pages that begin with one of them are unlisted in turn; so unlisted pages take no memory.
 *
 * <p>One thread.
 */
final class IndexBuilder {
  private static final int TRAILER_BYTES = 16;

  private final long top;
  private final long previousKey;
  private long low;
  private int separators;
  private int levels;

  /** Of the level below the one that is written next. */
  private Unlisted unlisted = Unlisted.NONE;

  /**
   * The last pages of a level, which have no separators in memory.
   *
   * @param lsn the highest LSN that belongs to the first of them, if they are leaves
   */
  private record Unlisted(int count, int firstPageNo, long lsn) {
    static final Unlisted NONE = new Unlisted(0, 0, -1);

    Unlisted plus(int pageNo, long pageLsn) {
      return count == 0
          ? new Unlisted(1, pageNo, pageLsn)
          : new Unlisted(count + 1, firstPageNo, lsn);
    }
  }

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

  /**
   * Notes a leaf without its separator. All leaves after it begin with older versions of its first
   * key, too, and are noted so.
   *
   * @param lsn the highest LSN of its first key that belongs to the leaf
   */
  void addUnlisted(long lsn, int leafPageNo) {
    unlisted = unlisted.plus(leafPageNo, lsn);
  }

  /** Whether only older versions of the last key may follow. */
  boolean hasUnlisted() {
    return unlisted.count() > 0;
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
    while (separators + unlisted.count() > 1) {
      Level level = new Level(output, builder);
      level.addListed();
      if (unlisted.count() > 0) {
        level.addUnlisted(levels == 0 ? PageType.LEAF : PageType.INDEX);
      }
      root = level.end();
      levels++;
    }
    return root;
  }

  /** Writes one level and turns the separators into those of the next. */
  private final class Level {
    private final PageOutput output;
    private final PageBuilder builder;
    private long next = top;
    private int nextSeparators;
    private Unlisted nextUnlisted = Unlisted.NONE;
    private int previousLength;
    private long page;

    Level(PageOutput output, PageBuilder builder) {
      this.output = output;
      this.builder = builder;
    }

    void addListed() {
      long at = top;
      for (int i = 0; i < separators; i++) {
        long lsn = Mem.getLong(at - 16);
        int child = Mem.getInt(at - 8);
        int length = Mem.getInt(at - 4);
        at -= TRAILER_BYTES + length;
        if (add(at, length, lsn, child)) {
          next = put(next, previousKey, length, lsn, output.pageNoOf(page));
          nextSeparators++;
        }
      }
    }

    void addUnlisted(int childType) {
      try (PagesAgain children = new PagesAgain(output, builder.pageBytes())) {
        children.first(childType, unlisted.firstPageNo(), unlisted.lsn());
        for (int i = 0; i < unlisted.count(); i++) {
          if (i > 0) {
            children.next();
          }
          long lsn = children.lsn();
          if (add(children.key(), children.keyLength(), lsn, children.pageNo())) {
            nextUnlisted = nextUnlisted.plus(output.pageNoOf(page), lsn);
          }
        }
      }
    }

    /** Adds a separator to the level; true if it begins a page. */
    private boolean add(long key, int length, long lsn, int child) {
      int meta = lsn < 0 ? 0 : KeyedPage.HAS_LSN;
      int common = Mem.mismatch(previousKey, key, Math.min(previousLength, length));
      KeyBytes.copy(key, previousKey, length);
      previousLength = length;
      boolean begins = page == 0 || !builder.fits(length, common, meta, lsn, KeyedPage.CHILD_BYTES);
      if (begins) {
        if (page != 0) {
          finish();
        }
        page = output.open();
        builder.begin(page);
      }
      long value = builder.add(previousKey, length, common, meta, lsn, KeyedPage.CHILD_BYTES);
      Mem.putInt(value, child);
      return begins;
    }

    /** Ends the level; the number of its last page. */
    int end() {
      int last = output.pageNoOf(page);
      finish();
      low = next;
      separators = nextSeparators;
      unlisted = nextUnlisted;
      return last;
    }

    private void finish() {
      builder.finish(PageType.INDEX, 0);
      output.seal(page);
    }
  }
}
