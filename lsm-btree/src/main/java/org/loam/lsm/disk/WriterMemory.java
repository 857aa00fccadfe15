package org.loam.lsm.disk;

import org.loam.common.env.StorageFiles;

/**
 * Off-heap memory that a writer works in; lent by the caller until the writer has finished or was
 * abandoned, and then fit for the next one.
 *
 * @param pages address of the buffer for pages, aligned to {@link StorageFiles#ALIGNMENT}
 * @param pagesBytes size of each write to disk, at least two pages; 1 MiB is a good size
 * @param work address of the memory for key hashes and separators, aligned to 8
 * @param workBytes at least 8 pages; bounds the keys of a file, 8 bytes each, and its leaf pages,
 *     16 bytes and a separator each, but not the versions of its last key
 */
public record WriterMemory(long pages, int pagesBytes, long work, int workBytes) {
  /** Checks the values. */
  public WriterMemory {
    if (pages == 0 || pages % StorageFiles.ALIGNMENT != 0) {
      throw new IllegalArgumentException(
          "pages is 0x" + Long.toHexString(pages) + ", must be aligned to 4096");
    }
    if (work == 0 || work % Long.BYTES != 0) {
      throw new IllegalArgumentException(
          "work is 0x" + Long.toHexString(work) + ", must be aligned to 8");
    }
  }

  /** The least {@link #workBytes} for a page size. */
  public static int minWorkBytes(int pageBytes) {
    return 8 * pageBytes;
  }

  void requireFor(int pageBytes) {
    if (pagesBytes < 2 * pageBytes) {
      throw new IllegalArgumentException(
          "pagesBytes is " + pagesBytes + ", must be at least two pages of " + pageBytes);
    }
    if (workBytes < minWorkBytes(pageBytes)) {
      throw new IllegalArgumentException(
          "workBytes is " + workBytes + ", must be at least " + minWorkBytes(pageBytes));
    }
  }
}
