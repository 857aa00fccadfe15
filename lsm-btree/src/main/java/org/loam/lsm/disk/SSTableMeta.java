package org.loam.lsm.disk;

import org.loam.scheduler.merge.KeyRange;

/**
 * What the manifest knows of an SSTable; held by the parent, so that a lost, stale or misdirected
 * file is noticed.
 *
 * @param fileId names the file and its pages in the cache; never used again
 * @param salt random number that seeds the checksums of the file
 * @param sizeBytes exact file size
 * @param fileCrc checksum of the footer page, which holds the CRC32C over the checksums of all
 *     pages before it; stands for every byte of the file
 * @param counts of entries
 * @param keys smallest and largest key, whole
 * @param lsns of entries
 */
public record SSTableMeta(
    int fileId, long salt, long sizeBytes, int fileCrc, Counts counts, KeyRange keys, Lsns lsns) {
  /**
   * How much the file holds.
   *
   * @param entries entries, all versions and anti-matter counted
   * @param antiMatter entries that are anti-matter
   */
  public record Counts(long entries, long antiMatter) {}

  /**
   * LSNs of entries.
   *
   * @param min the smallest, as far as it was known
   * @param max the largest
   */
  public record Lsns(long min, long max) {}

  /** The name of the file. */
  public String fileName() {
    return fileName(fileId);
  }

  /** The name of the file of an id. */
  public static String fileName(int fileId) {
    String digits = Integer.toString(fileId);
    return "0".repeat(Math.max(0, 8 - digits.length())) + digits + ".sst";
  }
}
