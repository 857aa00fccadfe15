package org.loam.lsm.merge;

import org.loam.lsm.disk.SSTableOptions;
import org.loam.scheduler.merge.Guards;

/**
 * What SSTables are like.
 *
 * @param pageBytes page size of the database
 * @param filterBitsPerKey bits of Bloom filter per key of the tables with nothing below them
 * @param tableBytes size at which flushes and merges end one table and begin the next
 * @param forceBytes written bytes after which a force is due
 */
public record TableSettings(int pageBytes, int filterBitsPerKey, long tableBytes, long forceBytes) {
  /** In smaller tables footer, filter and index would take a good part. */
  private static final int MIN_PIECE_PAGES = 16;

  /**
   * Bits of Bloom filter per key. Above other tables twice as many: each lookup of a key that lies
   * below, or nowhere, asks all filters above, and few of all keys are there.
   *
   * @param isLowest whether no older table has keys between those of the table
   */
  int filterBitsPerKey(boolean isLowest) {
    return isLowest
        ? filterBitsPerKey
        : Math.min(2 * filterBitsPerKey, SSTableOptions.MAX_FILTER_BITS_PER_KEY);
  }

  /** How fine the guards of a tree should be. */
  public Guards.Fineness fineness() {
    return new Guards.Fineness(tableBytes, (long) MIN_PIECE_PAGES * pageBytes);
  }
}
