package org.loam.workbench.demo;

import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** What the database must hold: a small entry per key on the heap, instead of the record. */
final class Expected {
  private final TreeMap<String, Entry> entries = new TreeMap<>();

  /**
   * A record that is there.
   *
   * @param key of the record
   * @param values that its index entries are made of
   * @param checksum of its bytes
   */
  record Entry(String key, Values values, long checksum) {}

  /** Length and CRC-32C of a record. */
  static long checksum(byte[] record) {
    CRC32C crc = new CRC32C();
    crc.update(record);
    return (long) record.length << 32 | crc.getValue();
  }

  void put(DemoRecord record) {
    Entry entry = new Entry(record.key(), record.values(), checksum(record.bytes()));
    entries.put(entry.key(), entry);
  }

  void delete(String key) {
    entries.remove(key);
  }

  /** The model as it is now; entries are shared, they never change. */
  Expected copy() {
    Expected copy = new Expected();
    copy.entries.putAll(entries);
    return copy;
  }

  /** In the order of UTF-8 bytes too, except for keys outside of the basic plane, which we lack. */
  NavigableMap<String, Entry> entries() {
    return entries;
  }

  int count() {
    return entries.size();
  }

  /** How many entries an index has. */
  long indexEntryCount(IndexKind kind) {
    return entries.values().stream().mapToLong(entry -> kind.keys(entry.values()).size()).sum();
  }

  /** Whether an answer is the record of a key, or its absence. */
  boolean isRight(String key, byte @Nullable [] record) {
    Entry entry = entries.get(key);
    if (entry == null || record == null) {
      return entry == null && record == null;
    }
    return checksum(record) == entry.checksum();
  }
}
