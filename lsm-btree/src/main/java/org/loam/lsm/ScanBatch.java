package org.loam.lsm;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.Entry;
import org.loam.lsm.read.EntryWalk;

/**
 * Copies of a few entries, on the heap; the rows are some of them. One thread at a time.
 *
 * <p>What comes from a leaf is copied when it becomes a row, the values of several rows at once if
 * they lie side by side. What comes from write memory is copied before it is known whether it
 * becomes one: a row then only refers to its copy.
 */
public final class ScanBatch {
  /** Holds a full batch and one more entry of usual size. */
  private static final int USUAL_BYTES = 144 << 10;

  /** Twice a full batch: its rows, and entries in memory that were copied in vain. */
  private static final int MAX_KEPT_BYTES = 2 * USUAL_BYTES;

  private static final int DISK = 0;
  private static final int MEMORY = 1;
  private static final int MEMORY_ANTI_MATTER = 2;

  private static final int ROW_INTS = 5;
  private static final int KEY_LENGTH = 1;
  private static final int VALUE_OFFSET = 2;
  private static final int VALUE_LENGTH = 3;
  private static final int ORIGIN = 4;

  private byte[] bytes = new byte[USUAL_BYTES];
  private int usedBytes;

  /**
   * Five numbers for each row: offset and length of its key, and of its value; where it comes from
   * and what it is.
   */
  private int[] rows = new int[16 * ROW_INTS];

  private int count;

  /** Where the row that is shown begins among {@link #rows}; before the first, it is negative. */
  private int at = -ROW_INTS;

  /** Bytes of the rows. */
  private int shownBytes;

  /** A key that was passed over and has no copy among the entries. */
  private byte[] passed = new byte[64];

  /** Where the last key that was added or passed over lies. */
  private byte[] lastArray = passed;

  private int lastOffset;

  private int lastLength = -1;

  void clear() {
    usedBytes = 0;
    shownBytes = 0;
    count = 0;
    at = -ROW_INTS;
    lastLength = -1;
  }

  /** Whether it is worth keeping for another scan; large values may have made it grow. */
  boolean isOfUsualSize() {
    return bytes.length <= MAX_KEPT_BYTES;
  }

  /** Whether it holds as much as it should; never when it is empty. */
  boolean isFull(int limitBytes) {
    return shownBytes >= limitBytes;
  }

  /**
   * Whether more than a full batch of what was copied from write memory is no row: it was deleted
   * or is superseded, and stays here until the batch ends.
   */
  boolean hasMuchInVain() {
    return usedBytes - shownBytes > USUAL_BYTES;
  }

  /** Entries in it. */
  int count() {
    return count;
  }

  /**
   * Copies an entry in write memory, which may become a row by {@link #addCopied}.
   *
   * @return the offset of its key; its value follows
   */
  int copyIn(Entry entry) {
    int offset = usedBytes;
    int keyLength = entry.keyLength();
    int valueLength = entry.valueLength();
    int end = require(Math.addExact(keyLength, valueLength));
    Mem.copyOut(entry.keyAddress(), bytes, offset, keyLength);
    long value = entry.valueAddress();
    if (value != 0) {
      Mem.copyOut(value, bytes, offset + keyLength, valueLength);
    } else {
      ValuePieces.copy(entry::copyValue, bytes, offset + keyLength, valueLength);
    }
    usedBytes = end;
    return offset;
  }

  /** Makes an entry on disk the next row. */
  void add(Entry entry) {
    int keyLength = entry.keyLength();
    int valueLength = entry.valueLength();
    int offset = copyIn(entry);
    addRow(offset, keyLength, offset + keyLength, valueLength, DISK);
  }

  /**
   * Makes an entry on disk the next row, without its value. {@link #addValues} must follow.
   *
   * @param firstValue where the value of the first such row lies
   */
  void addKey(Entry entry, long firstValue) {
    int keyLength = entry.keyLength();
    int offset = usedBytes;
    usedBytes = require(keyLength);
    Mem.copyOut(entry.keyAddress(), bytes, offset, keyLength);
    int value = (int) (entry.valueAddress() - firstValue);
    addRow(offset, keyLength, value, entry.valueLength(), DISK);
  }

  /**
   * Copies the values of the last rows at once: they lie side by side in a leaf, in the order of
   * the rows or in the opposite one.
   *
   * @param firstRow index of the first of these rows
   */
  void addValues(int firstRow, long firstValue) {
    int first = firstRow * ROW_INTS;
    int last = (count - 1) * ROW_INTS;
    int start = Math.min(0, rows[last + VALUE_OFFSET]);
    int end =
        Math.max(rows[first + VALUE_LENGTH], rows[last + VALUE_OFFSET] + rows[last + VALUE_LENGTH]);
    int offset = usedBytes;
    usedBytes = require(end - start);
    Mem.copyOut(firstValue + start, bytes, offset, end - start);
    for (int row = first; row <= last; row += ROW_INTS) {
      rows[row + VALUE_OFFSET] += offset - start;
    }
  }

  /**
   * Makes a copied entry the next row.
   *
   * @param offset where {@link #copyIn} put it
   */
  void addCopied(int offset, int keyLength, int valueLength, byte kind) {
    int origin = kind == EntryKind.PUT ? MEMORY : MEMORY_ANTI_MATTER;
    addRow(offset, keyLength, offset + keyLength, valueLength, origin);
  }

  private void addRow(int offset, int keyLength, int valueOffset, int valueLength, int origin) {
    int row = count * ROW_INTS;
    if (row == rows.length) {
      rows = Arrays.copyOf(rows, 2 * row);
    }
    rows[row] = offset;
    rows[row + KEY_LENGTH] = keyLength;
    rows[row + VALUE_OFFSET] = valueOffset;
    rows[row + VALUE_LENGTH] = valueLength;
    rows[row + ORIGIN] = origin;
    count++;
    shownBytes += keyLength + valueLength;
    lastArray = bytes;
    lastOffset = offset;
    lastLength = keyLength;
  }

  /** Remembers the key of an entry that is not shown. */
  void passOver(EntryWalk entry) {
    int keyLength = entry.keyLength();
    Mem.copyOut(entry.keyAddress(), passedWithRoom(keyLength), 0, keyLength);
    lastLength = keyLength;
  }

  /** Remembers a key that was shown before. */
  void passOver(byte[] key) {
    System.arraycopy(key, 0, passedWithRoom(key.length), 0, key.length);
    lastLength = key.length;
  }

  private byte[] passedWithRoom(int length) {
    if (length > passed.length) {
      passed = new byte[Math.max(length, 2 * passed.length)];
    }
    lastArray = passed;
    lastOffset = 0;
    return passed;
  }

  /** Whether an entry has the last key that was added or passed over. */
  boolean hasLastKey(EntryWalk entry) {
    return entry.keyLength() == lastLength
        && Mem.compare(lastArray, lastOffset, lastLength, entry.keyAddress(), lastLength) == 0;
  }

  /** A copy of the last key that was added or passed over, null if there is none. */
  byte @Nullable [] lastKey() {
    return lastLength < 0
        ? null
        : Arrays.copyOfRange(lastArray, lastOffset, lastOffset + lastLength);
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
    if (at + ROW_INTS >= count * ROW_INTS) {
      return false;
    }
    at += ROW_INTS;
    return true;
  }

  public int keyLength() {
    return rows[at + KEY_LENGTH];
  }

  public int valueLength() {
    return rows[at + VALUE_LENGTH];
  }

  /** Whether the entry came from a memory component. */
  public boolean isInMemory() {
    return rows[at + ORIGIN] != DISK;
  }

  /** Whether the entry is anti-matter. */
  public boolean isAntiMatter() {
    return rows[at + ORIGIN] == MEMORY_ANTI_MATTER;
  }

  /** Copies the key. */
  public void copyKey(byte[] target, int offset) {
    System.arraycopy(bytes, rows[at], target, offset, keyLength());
  }

  /** Copies the value. */
  public void copyValue(byte[] target, int offset) {
    System.arraycopy(bytes, valueOffset(), target, offset, valueLength());
  }

  /** The array that has the key, from {@link #keyOffset} on; not to be changed. */
  public byte[] keyArray() {
    return bytes;
  }

  /** Where the key begins. */
  public int keyOffset() {
    return rows[at];
  }

  /** The array that has the value, from {@link #valueOffset} on; not to be changed. */
  public byte[] valueArray() {
    return bytes;
  }

  /** Where the value begins. */
  public int valueOffset() {
    return rows[at + VALUE_OFFSET];
  }
}
