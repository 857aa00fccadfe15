package org.loam.log.format;

import org.loam.common.codec.Varint;
import org.loam.common.mem.Mem;

/**
 * Writes a {@link BatchPayload} into memory of the caller. Allocates nothing; used by one thread at
 * a time. The caller sizes the memory with {@link BatchPayload#operationBytes}.
 */
public final class BatchEncoder {
  private long start;
  private long end;
  private long limit;

  /** Starts a batch at {@code address}, with room for {@code capacityBytes}. */
  public void reset(long address, long capacityBytes) {
    start = address;
    end = address;
    limit = address + capacityBytes;
  }

  /**
   * Adds an operation.
   *
   * @throws IllegalArgumentException if it does not fit; nothing was added then
   */
  public void add(
      int treeId, byte kind, long keyAddress, int keyLength, long valueAddress, int valueLength) {
    long a = begin(treeId, kind, keyLength, valueLength);
    copy(keyAddress, a, keyLength);
    copy(valueAddress, a + keyLength, valueLength);
  }

  /** Like {@link #add(int, byte, long, int, long, int)}, from arrays. */
  public void add(int treeId, byte kind, byte[] key, byte[] value) {
    long a = begin(treeId, kind, key.length, value.length);
    Mem.copyIn(key, 0, a, key.length);
    Mem.copyIn(value, 0, a + key.length, value.length);
  }

  /** Writes what comes before the key, counts the whole operation, returns the key's place. */
  private long begin(int treeId, byte kind, int keyLength, int valueLength) {
    if (treeId < 0 || keyLength < 0 || valueLength < 0) {
      throw new IllegalArgumentException(
          "treeId "
              + treeId
              + ", keyLength "
              + keyLength
              + ", valueLength "
              + valueLength
              + ": each must be at least 0");
    }
    long bytes = BatchPayload.operationBytes(treeId, keyLength, valueLength);
    if (bytes > limit - end) {
      throw new IllegalArgumentException(
          "operation of " + bytes + " bytes: only " + (limit - end) + " left in the batch");
    }
    long a = Varint.put(end, treeId);
    Mem.putByte(a++, kind);
    a = Varint.put(a, keyLength);
    a = Varint.put(a, valueLength);
    end = a + keyLength + valueLength;
    return a;
  }

  private static void copy(long from, long to, int bytes) {
    // A caller that passes no bytes may pass an address that is not valid.
    if (bytes > 0) {
      Mem.copy(from, to, bytes);
    }
  }

  /** The bytes written so far. */
  public int lengthBytes() {
    return (int) (end - start);
  }
}
