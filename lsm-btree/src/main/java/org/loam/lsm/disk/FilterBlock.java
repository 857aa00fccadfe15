package org.loam.lsm.disk;

import org.loam.common.mem.Mem;

/**
 * The blocked Bloom filter, version 1: a key sets bits in one 64-byte block of one page, so that a
 * probe costs one pin and one cache line.
 *
 * <p>A filter page is the 32-byte page header, 32 zero bytes, and blocks of 64 bytes to the page
 * end; the blocks of all pages form one row. With {@code u} the upper half of the key's 64-bit hash
 * as an unsigned number, {@code u * pages} is, as a 32.32 fixed-point number, the page and the
 * place in it, and that fraction times the blocks of a page is the block. Probe {@code i} sets bit
 * {@code (m >>> (1 + 9 * i)) & 511} of the block, little-endian, where {@code m} is the hash times
 * {@link #SPREAD}.
 */
final class FilterBlock {
  static final int BYTES = 64;

  /** Probes take 9 bits each of 63. */
  static final int MAX_PROBES = 7;

  private static final int BITS = BYTES * Byte.SIZE;
  private static final int PROBE_BITS = 9;
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  private FilterBlock() {}

  /** Pages that hold the given number of keys; 0 if there is no filter. */
  static int pages(long keys, int bitsPerKey, int pageBytes) {
    long pageBits = (long) blocksPerPage(pageBytes) * BITS;
    return Math.toIntExact((keys * bitsPerKey + pageBits - 1) / pageBits);
  }

  /** The number of probes with the fewest false positives, a little below ln 2 times the bits. */
  static int probes(int bitsPerKey) {
    return Math.max(1, Math.min(MAX_PROBES, bitsPerKey * 3 / 5));
  }

  static int blocksPerPage(int pageBytes) {
    return pageBytes / BYTES - 1;
  }

  /** The page, counted from the first filter page, that knows the key. */
  static int pageOf(long hash, int pages) {
    return (int) (((hash >>> 32) * pages) >>> 32);
  }

  /** The offset, in that page, of the key's block. */
  static int offsetOf(long hash, int pages, int blocksPerPage) {
    long fraction = ((hash >>> 32) * pages) & 0xffffffffL;
    return BYTES * (1 + (int) ((fraction * blocksPerPage) >>> 32));
  }

  /** Adds a key to its block. */
  static void add(long block, long hash, int probes) {
    long bits = (hash * SPREAD) >>> 1;
    for (int i = 0; i < probes; i++) {
      long word = block + (((bits & (BITS - 1)) >>> 6) << 3);
      Mem.putLong(word, Mem.getLong(word) | (1L << bits));
      bits >>>= PROBE_BITS;
    }
  }

  /** False if the key was certainly not added to its block. */
  static boolean mightContain(long block, long hash, int probes) {
    long bits = (hash * SPREAD) >>> 1;
    for (int i = 0; i < probes; i++) {
      long word = Mem.getLong(block + (((bits & (BITS - 1)) >>> 6) << 3));
      if (((word >>> bits) & 1) == 0) {
        return false;
      }
      bits >>>= PROBE_BITS;
    }
    return true;
  }
}
