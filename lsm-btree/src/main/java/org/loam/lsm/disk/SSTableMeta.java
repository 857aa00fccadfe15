package org.loam.lsm.disk;

import java.util.Locale;

/**
 * What the manifest knows of an SSTable; held by the parent, so that a lost, stale or misdirected
 * file is noticed.
 *
 * @param fileId names the file and its pages in the cache; never used again
 * @param salt random number that seeds the checksums of the file
 * @param sizeBytes exact file size
 * @param fileCrc checksum of the footer page, which holds the CRC32C over the checksums of all
 *     pages before it; stands for every byte of the file
 * @param entryCount entries, all versions and anti-matter counted
 * @param antiMatterCount entries that are anti-matter
 * @param minKey smallest key, whole
 * @param maxKey largest key, whole
 * @param minLsn smallest LSN of an entry, as far as it was known
 * @param maxLsn largest LSN of an entry
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody changes the keys, or compares metas.
public record SSTableMeta(
    int fileId,
    long salt,
    long sizeBytes,
    int fileCrc,
    long entryCount,
    long antiMatterCount,
    byte[] minKey,
    byte[] maxKey,
    long minLsn,
    long maxLsn) {
  /** The name of the file. */
  public String fileName() {
    return fileName(fileId);
  }

  /** The name of the file of an id. */
  public static String fileName(int fileId) {
    return String.format(Locale.ROOT, "%08d.sst", fileId);
  }
}
