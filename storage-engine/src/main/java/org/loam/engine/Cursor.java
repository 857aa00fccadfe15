package org.loam.engine;

import org.loam.common.error.ClosedException;
import org.loam.engine.read.TreeCursor;

/**
 * Walks a range of a tree as it was at one moment, however long that takes; it delays neither
 * flushes nor merges. One thread at a time. Begins before the first entry.
 */
public final class Cursor implements AutoCloseable {
  private final TreeCursor cursor;

  Cursor(TreeCursor cursor) {
    this.cursor = cursor;
  }

  /**
   * Moves to the next entry in the scan's order.
   *
   * @return false past the end
   * @throws ClosedException if the cursor was closed; if tree or engine were, after the entries
   *     that the cursor has copied before
   */
  public boolean next() {
    return cursor.next();
  }

  /** The moment that it shows; registered until it is closed. */
  long readLsn() {
    return cursor.readLsn();
  }

  /** A copy of the key. */
  public byte[] key() {
    return cursor.key();
  }

  /** A copy of the value. */
  public byte[] value() {
    return cursor.value();
  }

  /** Bytes of the key. */
  public int keyLength() {
    return cursor.keyLength();
  }

  /** Bytes of the value. */
  public int valueLength() {
    return cursor.valueLength();
  }

  /**
   * Copies the key.
   *
   * @return its length
   * @throws IndexOutOfBoundsException if it does not fit; then nothing is copied
   */
  public int copyKey(byte[] target, int offset) {
    requireRoom("key", keyLength(), target, offset);
    return cursor.copyKey(target, offset);
  }

  /**
   * Copies the value.
   *
   * @return its length
   * @throws IndexOutOfBoundsException if it does not fit; then nothing is copied
   */
  public int copyValue(byte[] target, int offset) {
    requireRoom("value", valueLength(), target, offset);
    return cursor.copyValue(target, offset);
  }

  private static void requireRoom(String what, int length, byte[] target, int offset) {
    if (offset < 0 || length > target.length - offset) {
      throw new IndexOutOfBoundsException(
          "the "
              + what
              + " has "
              + length
              + " bytes, the array has "
              + target.length
              + ", of which those from "
              + offset
              + " on are to be used");
    }
  }

  /**
   * The array in which the cursor has the value, for callers that need no copy: {@link
   * #valueLength} bytes from {@link #valueOffset} on, not to be changed. They stay until the next
   * call of {@link #next} or {@link #close}; then the array may get an entry of any cursor.
   */
  public byte[] valueArray() {
    return cursor.valueArray();
  }

  /** Where the value begins in {@link #valueArray}. */
  public int valueOffset() {
    return cursor.valueOffset();
  }

  /** Ends the scan. Closing twice is harmless. */
  @Override
  public void close() {
    cursor.close();
  }
}
