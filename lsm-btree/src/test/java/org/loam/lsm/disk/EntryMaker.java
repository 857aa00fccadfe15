package org.loam.lsm.disk;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Makes entries that are hard on the format: equal heads, keys that are prefixes of others, zero
 * bytes at the end, no key or no value at all, keys and values as long as they may be, many
 * versions of one key.
 */
final class EntryMaker {
  private final SplittableRandom random;
  private final int pageBytes;
  private final byte[] sharedPrefix;
  private long lsn = 1;

  EntryMaker(long seed, int pageBytes) {
    this.random = new SplittableRandom(seed);
    this.pageBytes = pageBytes;
    // Some runs have no shared prefix, some a long one.
    int length = random.nextInt(3) * random.nextInt(1, pageBytes / 10);
    this.sharedPrefix = bytes(length);
  }

  SplittableRandom random() {
    return random;
  }

  byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** A key that may exist, or be near one that does. */
  byte[] key() {
    byte[] tail =
        switch (random.nextInt(12)) {
          case 0 -> new byte[0];
          case 1 -> new byte[random.nextInt(12)];
          case 2 -> bytes(random.nextInt(1, 4));
          case 3 -> bytes(random.nextInt(pageBytes / 20));
          case 4 -> bytes(SSTableOptions.maxKeyBytes(pageBytes) - sharedPrefix.length);
          default -> small();
        };
    if (random.nextInt(50) == 0) {
      return tail;
    }
    byte[] key = new byte[sharedPrefix.length + tail.length];
    System.arraycopy(sharedPrefix, 0, key, 0, sharedPrefix.length);
    System.arraycopy(tail, 0, key, sharedPrefix.length, tail.length);
    return key;
  }

  /** Few different bytes, so that keys share heads and are prefixes of each other. */
  private byte[] small() {
    byte[] bytes = new byte[random.nextInt(6, 14)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i < 5 ? 7 : random.nextInt(3) - 1);
    }
    return bytes;
  }

  byte[] value() {
    return bytes(
        switch (random.nextInt(20)) {
          case 0, 1 -> 0;
          case 2 -> pageBytes / 2;
          case 3 -> pageBytes / 2 + 1;
          case 4 -> random.nextInt(10 * pageBytes);
          case 5 -> random.nextInt(pageBytes);
          default -> random.nextInt(100);
        });
  }

  /** Entries with different keys, in order; LSNs in no order. */
  List<TestEntry> oneVersionEach(int keys) {
    return entries(keys, 1);
  }

  /** Entries in order, up to so many versions of each key. */
  List<TestEntry> entries(int keys, int versions) {
    TreeSet<TestEntry> entries = new TreeSet<>();
    TreeSet<byte[]> seen = new TreeSet<>(java.util.Arrays::compareUnsigned);
    for (int i = 0; i < keys; i++) {
      byte[] key = key();
      if (!seen.add(key)) {
        continue;
      }
      int count =
          versions == 1 || (keys > 5 && random.nextInt(3) > 0)
              ? 1
              : random.nextInt(1, versions + 1);
      for (int v = 0; v < count; v++) {
        lsn += random.nextInt(1, 1000);
        entries.add(
            random.nextInt(8) == 0
                ? TestEntry.antiMatter(key, lsn)
                : TestEntry.put(key, lsn, value()));
      }
    }
    return new ArrayList<>(entries);
  }
}
