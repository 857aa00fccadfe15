package org.loam.lsm.read;

import java.util.Arrays;
import java.util.List;
import org.loam.common.mem.Mem;

/** Walks entries on the heap, which are in order, up or down. */
public final class SortedCursor implements EntryWalk, org.loam.lsm.read.Entry {
  private static final int MAX_BYTES = 4096;

  /** An entry; of equal keys the newest comes first. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Entry(byte[] key, long lsn, byte kind, byte[] value) {
    @Override
    public String toString() {
      return Arrays.toString(key) + "@" + lsn + (kind == 0 ? "+" : "-") + value.length;
    }
  }

  private final List<Entry> entries;
  private final long memory = Mem.allocate(2 * MAX_BYTES, 8);
  private final boolean forward;
  private int at;
  private boolean closed;

  /** An ascending walk before its first entry. */
  public SortedCursor(List<Entry> entries) {
    this(entries, true);
  }

  /** A walk before its first entry. */
  SortedCursor(List<Entry> entries, boolean forward) {
    this.entries = entries;
    this.forward = forward;
    this.at = forward ? -1 : entries.size();
  }

  public boolean isClosed() {
    return closed;
  }

  private boolean go(int to) {
    at = to;
    if (at < 0 || at >= entries.size()) {
      return false;
    }
    Entry e = entries.get(at);
    Mem.copyIn(e.key(), 0, memory, e.key().length);
    Mem.copyIn(e.value(), 0, memory + MAX_BYTES, e.value().length);
    return true;
  }

  private int position(long key, int keyLength) {
    byte[] wanted = new byte[keyLength];
    Mem.copyOut(key, wanted, 0, keyLength);
    int i = 0;
    while (i < entries.size() && Arrays.compareUnsigned(entries.get(i).key(), wanted) < 0) {
      i++;
    }
    return i;
  }

  /** Moves to the first entry from a key on: at or after it if ascending, else before it. */
  void seek(long key, int keyLength) {
    go(forward ? position(key, keyLength) : position(key, keyLength) - 1);
  }

  @Override
  public boolean next() {
    return go(forward ? at + 1 : at - 1);
  }

  @Override
  public boolean isAtEntry() {
    return at >= 0 && at < entries.size();
  }

  @Override
  public long keyAddress() {
    return memory;
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
    return memory + MAX_BYTES;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      Mem.free(memory);
    }
  }
}
