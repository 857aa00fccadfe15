package org.loam.lsm;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.EntryCursor;

/** Copies of a few entries, on the heap. One thread at a time. */
public final class ScanBatch {
  /** Holds a full batch and one more entry of usual size. */
  private static final int USUAL_BYTES = 144 << 10;

  private static final byte DISK = 0;
  private static final byte MEMORY = 1;
  private static final byte MEMORY_ANTI_MATTER = 2;

  private byte[] bytes = new byte[USUAL_BYTES];
  private int usedBytes;

  /** Start of each entry's key; its value follows the key. */
  private int[] offsets = new int[16];

  private int[] keyLengths = new int[16];
  private int[] valueLengths = new int[16];

  /** Where each entry comes from, and what it is. */
  private byte[] origins = new byte[16];

  private int count;
  private int index = -1;

  /** Where the last key that was added or passed over lies; the latter is not within the used. */
  private int lastOffset;

  private int lastLength = -1;

  void clear() {
    usedBytes = 0;
    count = 0;
    index = -1;
    lastLength = -1;
  }

  /** Whether it is worth keeping for another scan; large values may have made it grow. */
  boolean isOfUsualSize() {
    return bytes.length == USUAL_BYTES;
  }

  /** Whether it holds as much as it should; never when it is empty. */
  boolean isFull(int limitBytes) {
    return usedBytes >= limitBytes;
  }

  /** Entries in it. */
  int count() {
    return count;
  }

  /**
   * Adds an entry.
   *
   * @param isInMemory whether it comes from a memory component, as all anti-matter does
   */
  void add(EntryCursor entry, boolean isInMemory) {
    int keyLength = entry.keyLength();
    int valueLength = entry.valueLength();
    int end = require(Math.addExact(keyLength, valueLength));
    if (count == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * count);
      keyLengths = Arrays.copyOf(keyLengths, 2 * count);
      valueLengths = Arrays.copyOf(valueLengths, 2 * count);
      origins = Arrays.copyOf(origins, 2 * count);
    }
    Mem.copyOut(entry.keyAddress(), bytes, usedBytes, keyLength);
    long value = entry.valueAddress();
    if (value != 0) {
      Mem.copyOut(value, bytes, usedBytes + keyLength, valueLength);
    } else {
      ValuePieces.copy(entry::copyValue, bytes, usedBytes + keyLength, valueLength);
    }
    offsets[count] = usedBytes;
    keyLengths[count] = keyLength;
    valueLengths[count] = valueLength;
    origins[count] =
        !isInMemory ? DISK : entry.kind() == EntryKind.PUT ? MEMORY : MEMORY_ANTI_MATTER;
    lastOffset = usedBytes;
    lastLength = keyLength;
    count++;
    usedBytes = end;
  }

  /** Remembers the key of an entry that is not shown. */
  void passOver(EntryCursor entry) {
    int keyLength = entry.keyLength();
    require(keyLength);
    Mem.copyOut(entry.keyAddress(), bytes, usedBytes, keyLength);
    lastOffset = usedBytes;
    lastLength = keyLength;
  }

  /** Remembers a key that was shown before. */
  void passOver(byte[] key) {
    require(key.length);
    System.arraycopy(key, 0, bytes, usedBytes, key.length);
    lastOffset = usedBytes;
    lastLength = key.length;
  }

  /** Whether an entry has the last key that was added or passed over. */
  boolean hasLastKey(EntryCursor entry) {
    return entry.keyLength() == lastLength
        && Mem.compare(bytes, lastOffset, lastLength, entry.keyAddress(), lastLength) == 0;
  }

  /** A copy of the last key that was added or passed over, null if there is none. */
  byte @Nullable [] lastKey() {
    return lastLength < 0 ? null : Arrays.copyOfRange(bytes, lastOffset, lastOffset + lastLength);
  }

  /** Makes room for more bytes; returns where they end. */
  private int require(int more) {
    int end = Math.addExact(usedBytes, more);
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
    }
    return end;
  }

  boolean next() {
    if (index + 1 >= count) {
      return false;
    }
    index++;
    return true;
  }

  public int keyLength() {
    return keyLengths[index];
  }

  public int valueLength() {
    return valueLengths[index];
  }

  /** Whether the entry came from a memory component. */
  public boolean isInMemory() {
    return origins[index] != DISK;
  }

  /** Whether the entry is anti-matter. */
  public boolean isAntiMatter() {
    return origins[index] == MEMORY_ANTI_MATTER;
  }

  /** Copies the key. */
  public void copyKey(byte[] target, int offset) {
    System.arraycopy(bytes, offsets[index], target, offset, keyLengths[index]);
  }

  /** Copies the value. */
  public void copyValue(byte[] target, int offset) {
    System.arraycopy(bytes, valueOffset(), target, offset, valueLengths[index]);
  }

  /** The array that has the value, from {@link #valueOffset} on; not to be changed. */
  public byte[] valueArray() {
    return bytes;
  }

  /** Where the value begins. */
  public int valueOffset() {
    return offsets[index] + keyLengths[index];
  }
}
