package org.loam.lsm.disk;

import org.loam.cache.PageHeader;
import org.loam.common.mem.Mem;

/** Writes the page that {@link Footer} reads. */
final class FooterWriter {
  private FooterWriter() {}

  /** Writes all fields into a footer page whose bytes are zero. */
  static void put(
      long page, SSTableOptions options, FileFacts facts, FileRoots roots, byte[] maxKey) {
    long at = page + options.pageBytes() - FooterLayout.BYTES;
    Mem.putLong(at + FooterLayout.MAGIC_OFFSET, FooterLayout.MAGIC);
    Mem.putInt(at + FooterLayout.VERSION_OFFSET, FooterLayout.VERSION);
    Mem.putInt(at + FooterLayout.PAGE_BYTES, options.pageBytes());
    Mem.putLong(at + FooterLayout.SALT, options.salt());
    Mem.putInt(at + FooterLayout.FILE_ID, options.fileId());
    Mem.putInt(at + FooterLayout.PAGE_COUNT, roots.pageCount());
    Mem.putInt(at + FooterLayout.PAGES_CRC, roots.pagesCrc());
    Mem.putInt(
        at + FooterLayout.FLAGS,
        (options.keepLsns() ? FooterLayout.KEEPS_LSNS : 0)
            | (facts.hasSeveralVersions() ? FooterLayout.SEVERAL_VERSIONS : 0));
    Mem.putLong(at + FooterLayout.ENTRY_COUNT, facts.entryCount);
    Mem.putLong(at + FooterLayout.ANTI_MATTER_COUNT, facts.antiMatterCount);
    Mem.putLong(at + FooterLayout.KEY_COUNT, facts.keyCount);
    Mem.putLong(at + FooterLayout.MIN_LSN, facts.minLsn);
    Mem.putLong(at + FooterLayout.MAX_LSN, facts.maxLsn);
    Mem.putInt(at + FooterLayout.LEAF_PAGES, facts.leafPages);
    Mem.putInt(at + FooterLayout.OVERFLOW_PAGES, facts.overflowPages);
    Mem.putInt(at + FooterLayout.FILTER_PAGES, roots.filterPages());
    Mem.putInt(at + FooterLayout.FILTER_START, facts.leafPages + facts.overflowPages);
    Mem.putInt(at + FooterLayout.FILTER_PROBES, roots.filterProbes());
    Mem.putInt(at + FooterLayout.INDEX_LEVELS, roots.indexLevels());
    Mem.putInt(at + FooterLayout.ROOT, roots.root());
    Mem.putInt(at + FooterLayout.RANGE_DELETE_ROOT, -1);
    Mem.putInt(at + FooterLayout.MAX_KEY_LENGTH, facts.maxKeyLength);
    putBounds(page, options.pageBytes(), facts.minKey, maxKey);
  }

  /** Writes the bounds; each goes to the last 4,096 bytes if it fits, else to the front. */
  private static void putBounds(long page, int pageBytes, byte[] minKey, byte[] maxKey) {
    int last = pageBytes - FooterLayout.BYTES;
    int inFooter = last + FooterLayout.KEYS_OFFSET;
    int inFront = PageHeader.BYTES;
    boolean minFits = minKey.length <= pageBytes - inFooter;
    int minOffset = minFits ? inFooter : inFront;
    inFooter += minFits ? minKey.length : 0;
    inFront += minFits ? 0 : minKey.length;
    int maxOffset = maxKey.length <= pageBytes - inFooter ? inFooter : inFront;
    Mem.copyIn(minKey, 0, page + minOffset, minKey.length);
    Mem.copyIn(maxKey, 0, page + maxOffset, maxKey.length);
    long at = page + last;
    Mem.putInt(at + FooterLayout.LOW_KEY_LENGTH, minKey.length);
    Mem.putInt(at + FooterLayout.HIGH_KEY_LENGTH, maxKey.length);
    Mem.putInt(at + FooterLayout.LOW_KEY_OFFSET, minOffset);
    Mem.putInt(at + FooterLayout.HIGH_KEY_OFFSET, maxOffset);
  }
}
