package org.loam.lsm.disk;

import java.util.List;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.EntryCursor;

/** A version cursor over entries on the heap; what feeds a writer in tests. */
class ListCursor implements EntryCursor {
  private static final int MAX_KEY_BYTES = 16 << 10;

  private final List<TestEntry> entries;
  private final long key = Mem.allocate(MAX_KEY_BYTES, 8);
  private long value;
  private int at = -1;

  ListCursor(List<TestEntry> entries) {
    this.entries = entries;
  }

  /** The index of the current entry. */
  final int at() {
    return at;
  }

  private boolean show() {
    freeValue();
    if (at >= entries.size()) {
      return false;
    }
    TestEntry e = entries.get(at);
    Mem.copyIn(e.key(), 0, key, e.key().length);
    value = Mem.allocate(Math.max(1, e.value().length), 8);
    Mem.copyIn(e.value(), 0, value, e.value().length);
    return true;
  }

  private void freeValue() {
    if (value != 0) {
      Mem.free(value);
      value = 0;
    }
  }

  @Override
  public boolean first() {
    at = 0;
    return show();
  }

  @Override
  public boolean next() {
    at++;
    return show();
  }

  @Override
  public long keyAddress() {
    return key;
  }

  @Override
  public int keyLength() {
    return entries.get(at).key().length;
  }

  @Override
  public long lsn() {
    return entries.get(at).lsn();
  }

  @Override
  public byte kind() {
    return entries.get(at).kind();
  }

  @Override
  public int valueLength() {
    return entries.get(at).value().length;
  }

  @Override
  public long valueAddress() {
    return value;
  }

  @Override
  public boolean last() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean ceiling(long keyAddress, int keyLength) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean lower(long keyAddress, int keyLength) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean previous() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    freeValue();
    Mem.free(key);
  }
}
