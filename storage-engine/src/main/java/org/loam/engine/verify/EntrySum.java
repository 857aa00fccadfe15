package org.loam.engine.verify;

import org.loam.common.codec.Hash64;

/**
 * Stands for a set of entries whatever their order: how many they are, and the sum of their hashes.
 * Sets that differ have the same with a chance of one in 2^64; the checksum of a page fails to see
 * damage four thousand million times as often. One thread.
 */
final class EntrySum {
  private long count;
  private long hashes;

  /** Adds an entry that is not in the set yet. */
  void add(byte[] entry) {
    count++;
    hashes += Hash64.of(entry, 0, entry.length);
  }

  long count() {
    return count;
  }

  boolean matches(EntrySum other) {
    return count == other.count && hashes == other.hashes;
  }
}
