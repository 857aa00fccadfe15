package org.loam.lsm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.Mem;
import org.loam.common.mem.PagePool;
import org.loam.lsm.read.Entry;
import org.loam.lsm.read.EntryCursor;

/** A component with a pool of its own; closing it checks that every page came back. */
final class Fixture implements AutoCloseable {
  static final VersionRetention KEEP_NONE = (older, newer) -> false;
  static final VersionRetention KEEP_ALL = (older, newer) -> true;

  final PagePool pool;
  final PagePool.Quota quota;
  final Epochs epochs = new Epochs(new SpinWaiter(), 4);
  final MemoryComponent component;
  final InsertionPoints points = new InsertionPoints();
  private final long scratch = Mem.allocate(64 << 10, 8);

  Fixture(int pages, int pageBytes) {
    pool = new PagePool(pages, pageBytes);
    quota = pool.quota("test", pages);
    component = new MemoryComponent(quota, pageBytes, epochs, new SpinWaiter());
  }

  static MemoryComponent component(PagePool.Quota quota, int pageBytes) {
    SpinWaiter waiter = new SpinWaiter();
    return new MemoryComponent(quota, pageBytes, new Epochs(waiter, 1), waiter);
  }

  void put(byte[] key, byte[] value, long lsn, VersionRetention retention) {
    long record = component.prepare(EntryKind.PUT, key, value);
    assertThat(record).as("prepared").isPositive();
    assertThat(component.reserve(1)).as("reserved").isTrue();
    component.insert(record, lsn, retention);
  }

  /** Prepares records and looks for their places. */
  long[] prepareAndFind(byte[][] keys, byte[][] values) {
    long[] records = new long[keys.length];
    MemoryComponent[] components = new MemoryComponent[keys.length];
    for (int i = 0; i < keys.length; i++) {
      components[i] = component;
      records[i] = component.prepare(EntryKind.PUT, keys[i], values[i]);
      assertThat(records[i]).as("prepared").isPositive();
    }
    points.find(components, records, records.length);
    return records;
  }

  /** Inserts the records of the last {@link #prepareAndFind}, each with an LSN of its own. */
  void insertFound(long[] records, long firstLsn, VersionRetention retention) {
    assertThat(component.reserve(records.length)).as("reserved").isTrue();
    for (int i = 0; i < records.length; i++) {
      component.insert(records[i], firstLsn + i, retention, points, i);
    }
  }

  void put(String key, String value, long lsn, VersionRetention retention) {
    put(bytes(key), bytes(value), lsn, retention);
  }

  long find(byte[] key, long readLsn) {
    return component.find(offHeap(key), key.length, readLsn);
  }

  boolean undo(byte[] key, long lsn) {
    return component.undo(offHeap(key), key.length, lsn);
  }

  /** Valid until the next call. */
  long offHeap(byte[] key) {
    Mem.copyIn(key, 0, scratch, key.length);
    return scratch;
  }

  static byte[] key(long record) {
    return copy(MemoryRecord.keyAddress(record), MemoryRecord.keyLength(record));
  }

  static byte[] value(long record) {
    return value(record, 0, MemoryRecord.valueLength(record));
  }

  static byte[] value(long record, int from, int length) {
    return value(new MemoryRecord.ValueReader(), record, from, length);
  }

  static byte[] value(MemoryRecord.ValueReader reader, long record, int from, int length) {
    long target = Mem.allocate(Math.max(1, length), 8);
    reader.copyValue(record, from, length, target);
    byte[] part = copy(target, length);
    Mem.free(target);
    return part;
  }

  static byte[] key(Entry cursor) {
    return copy(cursor.keyAddress(), cursor.keyLength());
  }

  static byte[] value(Entry cursor) {
    int length = cursor.valueLength();
    long target = Mem.allocate(Math.max(1, length), 8);
    cursor.copyValue(target);
    byte[] value = copy(target, length);
    Mem.free(target);
    return value;
  }

  static byte[] copy(long address, int length) {
    byte[] bytes = new byte[length];
    Mem.copyOut(address, bytes, 0, length);
    return bytes;
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** What a component shows at a read LSN: key, value and LSN of each entry. */
  static List<String> rows(MemoryComponent component, long readLsn) {
    List<String> rows = new ArrayList<>();
    try (EntryCursor entries = component.cursor(readLsn)) {
      for (boolean more = entries.first(); more; more = entries.next()) {
        rows.add(text(key(entries)) + "=" + text(value(entries)) + "@" + entries.lsn());
      }
    }
    return rows;
  }

  @Override
  public void close() {
    component.release();
    assertThat(quota.usedPages()).as("pages not given back").isZero();
    Mem.free(scratch);
    pool.close();
  }
}
