package org.loam.workbench.demo;

import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** What the database must hold: a small entry per key on the heap, instead of the text. */
final class Expected {
  private final TreeMap<String, Entry> entries = new TreeMap<>();

  /**
   * A record that is there.
   *
   * @param group of the record
   * @param ingest that wrote it last
   * @param checksum of its value
   */
  record Entry(String group, int ingest, long checksum) {}

  /** Length and CRC-32C of a value. */
  static long checksum(byte[] value) {
    CRC32C crc = new CRC32C();
    crc.update(value);
    return (long) value.length << 32 | crc.getValue();
  }

  void put(DemoRecord record, int ingest) {
    long checksum = checksum(DemoDatabase.value(record, ingest));
    entries.put(record.key(), new Entry(record.group().intern(), ingest, checksum));
  }

  void delete(String key) {
    entries.remove(key);
  }

  @Nullable Entry get(String key) {
    return entries.get(key);
  }

  /** The model as it is now; entries are shared, they never change. */
  Expected copy() {
    Expected copy = new Expected();
    copy.entries.putAll(entries);
    return copy;
  }

  /** In the order of UTF-8 bytes too, but for keys outside of the basic plane, which we lack. */
  NavigableMap<String, Entry> entries() {
    return entries;
  }

  int count() {
    return entries.size();
  }

  /** Whether an answer is the value of a key, or its absence. */
  boolean isRight(String key, byte @Nullable [] value) {
    Entry entry = entries.get(key);
    if (entry == null || value == null) {
      return entry == null && value == null;
    }
    return checksum(value) == entry.checksum();
  }
}
