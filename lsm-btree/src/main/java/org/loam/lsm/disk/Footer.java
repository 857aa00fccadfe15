package org.loam.lsm.disk;

import org.loam.cache.PageHeader;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.mem.Mem;

/** The fields of a footer page whose checksum is right. Immutable. */
final class Footer {
  final long salt;
  final int fileId;
  final int pageCount;
  final int pagesCrc;
  final long entryCount;
  final long antiMatterCount;
  final long keyCount;
  final long minLsn;
  final long maxLsn;
  final int leafPages;
  final int overflowPages;
  final int filterPages;
  final int filterStart;
  final int filterProbes;
  final int indexLevels;
  final int root;
  final int maxKeyLength;
  final boolean keepsLsns;
  final boolean severalVersions;
  final byte[] minKey;
  final byte[] maxKey;

  /**
   * Reads a footer page.
   *
   * @param file name of the file, for messages
   * @throws CorruptionException if fields contradict each other
   * @throws UnsupportedFormatException if the file is newer than this release
   */
  Footer(long page, int pageBytes, String file) {
    long at = page + pageBytes - FooterLayout.BYTES;
    requireKnownFormat(at, pageBytes, file);
    this.salt = Mem.getLong(at + FooterLayout.SALT);
    this.fileId = Mem.getInt(at + FooterLayout.FILE_ID);
    this.pageCount = Mem.getInt(at + FooterLayout.PAGE_COUNT);
    this.pagesCrc = Mem.getInt(at + FooterLayout.PAGES_CRC);
    this.entryCount = Mem.getLong(at + FooterLayout.ENTRY_COUNT);
    this.antiMatterCount = Mem.getLong(at + FooterLayout.ANTI_MATTER_COUNT);
    this.keyCount = Mem.getLong(at + FooterLayout.KEY_COUNT);
    this.minLsn = Mem.getLong(at + FooterLayout.MIN_LSN);
    this.maxLsn = Mem.getLong(at + FooterLayout.MAX_LSN);
    this.leafPages = Mem.getInt(at + FooterLayout.LEAF_PAGES);
    this.overflowPages = Mem.getInt(at + FooterLayout.OVERFLOW_PAGES);
    this.filterPages = Mem.getInt(at + FooterLayout.FILTER_PAGES);
    this.filterStart = Mem.getInt(at + FooterLayout.FILTER_START);
    this.filterProbes = Mem.getInt(at + FooterLayout.FILTER_PROBES);
    this.indexLevels = Mem.getInt(at + FooterLayout.INDEX_LEVELS);
    this.root = Mem.getInt(at + FooterLayout.ROOT);
    this.maxKeyLength = Mem.getInt(at + FooterLayout.MAX_KEY_LENGTH);
    int flags = Mem.getInt(at + FooterLayout.FLAGS);
    this.keepsLsns = (flags & FooterLayout.KEEPS_LSNS) != 0;
    this.severalVersions = (flags & FooterLayout.SEVERAL_VERSIONS) != 0;
    this.minKey =
        key(page, pageBytes, file, FooterLayout.LOW_KEY_OFFSET, FooterLayout.LOW_KEY_LENGTH);
    this.maxKey =
        key(page, pageBytes, file, FooterLayout.HIGH_KEY_OFFSET, FooterLayout.HIGH_KEY_LENGTH);
    requireSound(pageBytes, file);
  }

  private static void requireKnownFormat(long at, int pageBytes, String file) {
    if (Mem.getLong(at + FooterLayout.MAGIC_OFFSET) != FooterLayout.MAGIC) {
      throw new CorruptionException(file + ": the last page has no footer");
    }
    int version = Mem.getInt(at + FooterLayout.VERSION_OFFSET);
    long features = Mem.getLong(at + FooterLayout.FEATURES);
    if (version != FooterLayout.VERSION || (features & ~FooterLayout.KNOWN_FEATURES) != 0) {
      throw new UnsupportedFormatException(
          file
              + ": format version "
              + version
              + ", features "
              + Long.toBinaryString(features)
              + "; this release reads version 1, features "
              + Long.toBinaryString(FooterLayout.KNOWN_FEATURES)
              + ": use a newer one");
    }
    if (Mem.getInt(at + FooterLayout.PAGE_BYTES) != pageBytes) {
      throw new CorruptionException(
          file
              + ": page size "
              + Mem.getInt(at + FooterLayout.PAGE_BYTES)
              + ", expected "
              + pageBytes);
    }
  }

  private static byte[] key(long page, int pageBytes, String file, int offsetAt, int lengthAt) {
    long at = page + pageBytes - FooterLayout.BYTES;
    int offset = Mem.getInt(at + offsetAt);
    int length = Mem.getInt(at + lengthAt);
    if (length < 0
        || length > KeyedPage.maxKeyBytes(pageBytes)
        || offset < PageHeader.BYTES
        || offset > pageBytes - length) {
      throw new CorruptionException(
          file + ": footer: bound of " + length + " bytes at offset " + offset);
    }
    return KeyBytes.toArray(page + offset, length);
  }

  private void requireSound(int pageBytes, String file) {
    boolean filter =
        filterPages == 0
            || (filterPages > 0
                && filterStart >= dataPages()
                && filterStart < pageCount - filterPages
                && filterProbes >= 1
                && filterProbes <= FilterBlock.MAX_PROBES);
    boolean sound =
        filter
            && pageCount >= 2
            && leafPages >= 1
            && overflowPages >= 0
            && dataPages() < pageCount
            && indexLevels >= 0
            && indexLevels <= Integer.SIZE
            && root >= 0
            && root < pageCount
            && entryCount >= keyCount
            && keyCount >= 1
            && antiMatterCount <= entryCount
            && maxKeyLength <= KeyedPage.maxKeyBytes(pageBytes)
            && maxKeyLength >= Math.max(minKey.length, maxKey.length);
    if (!sound) {
      throw new CorruptionException(file + ": the footer contradicts itself: " + this);
    }
  }

  /** The pages before filter and index. */
  int dataPages() {
    return leafPages + overflowPages;
  }

  @Override
  public String toString() {
    return pageCount
        + " pages, "
        + leafPages
        + " leaves, "
        + overflowPages
        + " overflow, "
        + filterPages
        + " filter from "
        + filterStart
        + ", index of "
        + indexLevels
        + " levels from "
        + root
        + ", "
        + entryCount
        + " entries, "
        + keyCount
        + " keys, "
        + antiMatterCount
        + " anti-matter";
  }
}
