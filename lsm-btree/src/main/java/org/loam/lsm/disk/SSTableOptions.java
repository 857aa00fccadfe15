package org.loam.lsm.disk;

import org.loam.common.env.StorageFiles;

/**
 * What an SSTable to be written is like.
 *
 * @param fileId at least 1; never used again for another file
 * @param salt random number that seeds the checksums of the file
 * @param pageBytes size of all pages of the database, a power of two from 4,096 to 32,768
 * @param keepLsns whether entries carry their LSNs, and a key may have several versions
 * @param filterBitsPerKey size of the Bloom filter, 0 (none) to 20; 10 gives 1 % false positives
 */
public record SSTableOptions(
    int fileId, long salt, int pageBytes, boolean keepLsns, int filterBitsPerKey) {
  /** Offsets in pages have 16 bits, and one of them may be the page size. */
  static final int MAX_PAGE_BYTES = 1 << 15;

  /** Most bits of Bloom filter per key. */
  public static final int MAX_FILTER_BITS_PER_KEY = 20;

  /** Checks the values. */
  public SSTableOptions {
    require(fileId >= 1, "fileId", fileId, "at least 1");
    require(isPageSize(pageBytes), "pageBytes", pageBytes, "a power of two from 4096 to 32768");
    require(
        filterBitsPerKey >= 0 && filterBitsPerKey <= MAX_FILTER_BITS_PER_KEY,
        "filterBitsPerKey",
        filterBitsPerKey,
        "0 to 20");
  }

  static boolean isPageSize(int bytes) {
    return bytes >= StorageFiles.ALIGNMENT
        && bytes <= MAX_PAGE_BYTES
        && Integer.bitCount(bytes) == 1;
  }

  private static void require(boolean holds, String name, long value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value + ", must be " + rule);
    }
  }

  /** The longest key a page of the given size can take, in bytes. */
  public static int maxKeyBytes(int pageBytes) {
    return KeyedPage.maxKeyBytes(pageBytes);
  }

  /** The longest value that lies in the leaf; longer ones get overflow pages. */
  static int maxInlineBytes(int pageBytes) {
    return pageBytes / 2;
  }
}
