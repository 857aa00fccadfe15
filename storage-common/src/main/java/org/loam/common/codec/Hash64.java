package org.loam.common.codec;

import java.util.Objects;
import org.loam.common.mem.Mem;

/**
 * A 64-bit hash for tables and Bloom filters: wyhash (version 4.2, its default secret) of bytes, a
 * bijection of longs. Every bit of the result is usable. An adversary that knows the seed can
 * choose data with equal hashes. Filters on disk hold results, so the values never change. Pure
 * functions.
 */
public final class Hash64 {
  private static final long S0 = 0x2d358dccaa6c78a5L;
  private static final long S1 = 0x8bb84b93962eacc9L;
  private static final long S2 = 0x4b33a62ed433d4a3L;
  private static final long S3 = 0x4d5a2da51de1aa47L;
  private static final long START = mix(S0, S1);

  private Hash64() {}

  /** The hash of a number; no two numbers share one (Stafford's variant 13 of MurmurHash3). */
  public static long of(long v) {
    long h = (v ^ (v >>> 30)) * 0xbf58476d1ce4e5b9L;
    h = (h ^ (h >>> 27)) * 0x94d049bb133111ebL;
    return h ^ (h >>> 31);
  }

  /** The hash of bytes at an address, with seed 0. */
  public static long of(long address, int length) {
    return hash(address, length, START);
  }

  /** The hash of bytes at an address. */
  public static long of(long address, int length, long seed) {
    return hash(address, length, seed ^ mix(seed ^ S0, S1));
  }

  /** The same as {@link #of(long, int)} of the same bytes. */
  public static long of(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length > 16) {
      return hashLong(bytes, offset, length);
    }
    long a;
    long b;
    if (length >= 4) {
      int middle = (length >>> 3) << 2;
      int last = offset + length - 4;
      a = unsignedInt(bytes, offset) << 32 | unsignedInt(bytes, offset + middle);
      b = unsignedInt(bytes, last) << 32 | unsignedInt(bytes, last - middle);
    } else if (length > 0) {
      a =
          (bytes[offset] & 0xffL) << 16
              | (bytes[offset + (length >>> 1)] & 0xffL) << 8
              | (bytes[offset + length - 1] & 0xffL);
      b = 0;
    } else {
      a = 0;
      b = 0;
    }
    return finish(a, b, START, length);
  }

  private static long hash(long address, int length, long start) {
    if (length > 16) {
      return hashLong(address, length, start);
    }
    long a;
    long b;
    if (length >= 4) {
      int middle = (length >>> 3) << 2;
      long last = address + length - 4;
      a = unsignedInt(address) << 32 | unsignedInt(address + middle);
      b = unsignedInt(last) << 32 | unsignedInt(last - middle);
    } else if (length > 0) {
      a =
          (Mem.getByte(address) & 0xffL) << 16
              | (Mem.getByte(address + (length >>> 1)) & 0xffL) << 8
              | (Mem.getByte(address + length - 1) & 0xffL);
      b = 0;
    } else {
      a = 0;
      b = 0;
    }
    return finish(a, b, start, length);
  }

  private static long hashLong(long address, int length, long start) {
    long h = start;
    long p = address;
    int rest = length;
    if (rest >= 48) {
      long h1 = h;
      long h2 = h;
      do {
        h = mix(Mem.getLong(p) ^ S1, Mem.getLong(p + 8) ^ h);
        h1 = mix(Mem.getLong(p + 16) ^ S2, Mem.getLong(p + 24) ^ h1);
        h2 = mix(Mem.getLong(p + 32) ^ S3, Mem.getLong(p + 40) ^ h2);
        p += 48;
        rest -= 48;
      } while (rest >= 48);
      h ^= h1 ^ h2;
    }
    while (rest > 16) {
      h = mix(Mem.getLong(p) ^ S1, Mem.getLong(p + 8) ^ h);
      p += 16;
      rest -= 16;
    }
    long end = address + length;
    return finish(Mem.getLong(end - 16), Mem.getLong(end - 8), h, length);
  }

  private static long hashLong(byte[] bytes, int offset, int length) {
    long h = START;
    int p = offset;
    int rest = length;
    if (rest >= 48) {
      long h1 = h;
      long h2 = h;
      do {
        h = mix(Mem.getLong(bytes, p) ^ S1, Mem.getLong(bytes, p + 8) ^ h);
        h1 = mix(Mem.getLong(bytes, p + 16) ^ S2, Mem.getLong(bytes, p + 24) ^ h1);
        h2 = mix(Mem.getLong(bytes, p + 32) ^ S3, Mem.getLong(bytes, p + 40) ^ h2);
        p += 48;
        rest -= 48;
      } while (rest >= 48);
      h ^= h1 ^ h2;
    }
    while (rest > 16) {
      h = mix(Mem.getLong(bytes, p) ^ S1, Mem.getLong(bytes, p + 8) ^ h);
      p += 16;
      rest -= 16;
    }
    int end = offset + length;
    return finish(Mem.getLong(bytes, end - 16), Mem.getLong(bytes, end - 8), h, length);
  }

  private static long finish(long first, long last, long h, int length) {
    long a = first ^ S1;
    long b = last ^ h;
    return mix(a * b ^ S0 ^ length, multiplyHighUnsigned(a, b) ^ S1);
  }

  /** Folds the 128-bit product. */
  private static long mix(long a, long b) {
    return a * b ^ multiplyHighUnsigned(a, b);
  }

  private static long multiplyHighUnsigned(long a, long b) {
    return Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
  }

  private static long unsignedInt(long address) {
    return Mem.getInt(address) & 0xffffffffL;
  }

  private static long unsignedInt(byte[] bytes, int offset) {
    return Mem.getInt(bytes, offset) & 0xffffffffL;
  }
}
