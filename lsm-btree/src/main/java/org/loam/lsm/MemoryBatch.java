package org.loam.lsm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.EntryCursor;
import org.loam.lsm.read.MergingCursor;

/**
 * A copy of the next entries of the memory components, made inside the memory epoch so that the
 * rest of a scan can do I/O outside of it. It is filled in the scan's direction and walked once,
 * whatever the names of the moves say. One thread at a time.
 */
final class MemoryBatch implements EntryCursor {
  /** Bytes before the key: value length, key length, LSN, kind, place among the large values. */
  private static final int HEADER_BYTES = 24;

  /** Values above this share of the buffer are kept on the heap. */
  private static final int LARGE_SHARE = 16;

  private final long buffer;
  private final int bufferBytes;
  private final List<byte[]> large = new ArrayList<>();
  private byte[] lastKey = new byte[32];
  private int lastKeyLength;
  private boolean haveLastKey;
  private int filledBytes;
  private int largeBytes;
  private int entryCount;
  private boolean more;

  private int index;
  private long at;
  private LongPredicate refill = copied -> false;

  MemoryBatch(long buffer, int bufferBytes) {
    this.buffer = buffer;
    this.bufferBytes = bufferBytes;
  }

  /**
   * Copies the newest version of each key from where the cursor is, until about {@code limitBytes}
   * are used, or so many are copied. What was copied before is gone.
   *
   * @param valid whether the cursor is at an entry
   * @param after a key to pass over, since it was shown before; null for none
   */
  void fill(
      MergingCursor cursor,
      boolean valid,
      byte @Nullable [] after,
      int limitBytes,
      long limitEntries) {
    large.clear();
    largeBytes = 0;
    filledBytes = 0;
    entryCount = 0;
    int limit = Math.min(limitBytes, bufferBytes);
    boolean go = valid;
    boolean full = false;
    if (after != null) {
      lastKey = after.clone();
      lastKeyLength = after.length;
      haveLastKey = true;
    }
    while (go && !full) {
      EntryCursor entry = cursor.current();
      if (!haveLastKey || !isLastKey(entry)) {
        full = entryCount == limitEntries || !append(entry, limit);
      }
      if (!full) {
        go = cursor.advance();
      }
    }
    more = full;
    index = -1;
  }

  private boolean isLastKey(EntryCursor entry) {
    return entry.keyLength() == lastKeyLength
        && Mem.compare(lastKey, 0, lastKeyLength, entry.keyAddress(), lastKeyLength) == 0;
  }

  /** The first entry always fits, so that a scan goes on. */
  private boolean append(EntryCursor entry, int limit) {
    int keyLength = entry.keyLength();
    int valueLength = entry.valueLength();
    boolean isLarge = valueLength > bufferBytes / LARGE_SHARE;
    int bytes = (HEADER_BYTES + keyLength + (isLarge ? 0 : valueLength) + 7) & -8;
    if (entryCount > 0 && (filledBytes + bytes > limit || largeBytes > limit)) {
      return false;
    }
    long to = buffer + filledBytes;
    Mem.putInt(to, valueLength);
    Mem.putInt(to + 4, keyLength);
    Mem.putLong(to + 8, entry.lsn());
    Mem.putInt(to + 16, entry.kind());
    Mem.putInt(to + 20, isLarge ? large.size() : -1);
    Mem.copy(entry.keyAddress(), to + HEADER_BYTES, keyLength);
    if (isLarge) {
      byte[] value = new byte[valueLength];
      ValuePieces.copy(entry::copyValue, value, 0, valueLength);
      large.add(value);
      largeBytes += valueLength;
    } else if (valueLength > 0) {
      entry.copyValue(to + HEADER_BYTES + keyLength);
    }
    filledBytes += bytes;
    entryCount++;
    if (keyLength > lastKey.length) {
      lastKey = new byte[Math.max(keyLength, 2 * lastKey.length)];
    }
    Mem.copyOut(entry.keyAddress(), lastKey, 0, keyLength);
    lastKeyLength = keyLength;
    haveLastKey = true;
    return true;
  }

  /**
   * Says what to do at the end of what was copied while there is more: to fill this batch anew, if
   * that is still possible. It is told how many entries were copied.
   */
  void onEnd(LongPredicate action) {
    refill = action;
  }

  /** The last key that was copied; there must be one. */
  byte[] lastKey() {
    return Arrays.copyOf(lastKey, lastKeyLength);
  }

  /** Whether the memory components have entries after these. */
  boolean hasMore() {
    return more;
  }

  /** Whether the walk is past the last entry. */
  boolean isExhausted() {
    return index >= entryCount;
  }

  @Override
  public boolean first() {
    index = 0;
    at = buffer;
    return entryCount > 0;
  }

  @Override
  public boolean last() {
    return first();
  }

  @Override
  public boolean ceiling(long keyAddress, int keyLength) {
    return first();
  }

  @Override
  public boolean lower(long keyAddress, int keyLength) {
    return first();
  }

  @Override
  public boolean next() {
    index++;
    if (index < entryCount) {
      int stored = Mem.getInt(at + 20) >= 0 ? 0 : valueLength();
      at += (HEADER_BYTES + keyLength() + stored + 7) & -8;
      return true;
    }
    return more && refill.test(entryCount) && first();
  }

  @Override
  public boolean previous() {
    return next();
  }

  @Override
  public long keyAddress() {
    return at + HEADER_BYTES;
  }

  @Override
  public int keyLength() {
    return Mem.getInt(at + 4);
  }

  @Override
  public long lsn() {
    return Mem.getLong(at + 8);
  }

  @Override
  public byte kind() {
    return (byte) Mem.getInt(at + 16);
  }

  @Override
  public int valueLength() {
    return Mem.getInt(at);
  }

  @Override
  public long valueAddress() {
    return Mem.getInt(at + 20) >= 0 ? 0 : at + HEADER_BYTES + keyLength();
  }

  @Override
  public void copyValue(int from, int length, long target) {
    int largeIndex = Mem.getInt(at + 20);
    if (largeIndex >= 0) {
      Mem.copyIn(large.get(largeIndex), from, target, length);
    } else {
      Mem.copy(valueAddress() + from, target, length);
    }
  }

  @Override
  public void close() {
    large.clear();
  }
}
