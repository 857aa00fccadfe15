package org.loam.workbench.peer.inline;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A page of 16 KiB: a directory of slots in key order grows up, cells grow down. A cell is the
 * lengths of key and value, then both; in an inner page the value is the number of a child. Not
 * thread-safe.
 */
final class InlinePage {
  static final int BYTES = 16 << 10;

  private static final int SLOT_BYTES = 2;
  private static final int LENGTHS_BYTES = 4;
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  final boolean isLeaf;

  /** Of a leaf the next one, of an inner page the child below its first key; -1 for none. */
  int link;

  private byte[] bytes = new byte[BYTES];
  private int count;
  private int cellsFrom = BYTES;

  /** Bytes of cells that were replaced by longer or shorter ones. */
  private int wasted;

  InlinePage(boolean isLeaf, int link) {
    this.isLeaf = isLeaf;
    this.link = link;
  }

  int count() {
    return count;
  }

  private int offset(int slot) {
    return (short) SHORT.get(bytes, slot * SLOT_BYTES) & 0xffff;
  }

  private int keyLength(int offset) {
    return (short) SHORT.get(bytes, offset) & 0xffff;
  }

  private int valueLength(int offset) {
    return (short) SHORT.get(bytes, offset + 2) & 0xffff;
  }

  private int cellBytes(int offset) {
    return LENGTHS_BYTES + keyLength(offset) + valueLength(offset);
  }

  /** The slot of a key, or -1 - slot where it belongs. */
  int find(byte[] key) {
    int low = 0;
    int high = count - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int offset = offset(middle);
      int from = offset + LENGTHS_BYTES;
      int order = Arrays.compareUnsigned(bytes, from, from + keyLength(offset), key, 0, key.length);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1 - low;
  }

  byte[] key(int slot) {
    int from = offset(slot) + LENGTHS_BYTES;
    return Arrays.copyOfRange(bytes, from, from + keyLength(offset(slot)));
  }

  /** Copies a value to the beginning of the target; returns its length. */
  int copyValue(int slot, byte[] target) {
    int offset = offset(slot);
    int length = valueLength(offset);
    System.arraycopy(bytes, offset + LENGTHS_BYTES + keyLength(offset), target, 0, length);
    return length;
  }

  /** Copies a key to the beginning of the target; returns its length. */
  int copyKey(int slot, byte[] target) {
    int offset = offset(slot);
    System.arraycopy(bytes, offset + LENGTHS_BYTES, target, 0, keyLength(offset));
    return keyLength(offset);
  }

  /** The child of an inner page in which a key is. */
  int child(byte[] key) {
    int found = find(key);
    int slot = found >= 0 ? found : -2 - found;
    if (slot < 0) {
      return link;
    }
    int offset = offset(slot);
    return (int) INT.get(bytes, offset + LENGTHS_BYTES + keyLength(offset));
  }

  /** Replaces a value by one that is as long; false if its length differs. */
  boolean replace(int slot, byte[] value) {
    int offset = offset(slot);
    if (valueLength(offset) != value.length) {
      return false;
    }
    System.arraycopy(value, 0, bytes, offset + LENGTHS_BYTES + keyLength(offset), value.length);
    return true;
  }

  void remove(int slot) {
    wasted += cellBytes(offset(slot));
    System.arraycopy(
        bytes, (slot + 1) * SLOT_BYTES, bytes, slot * SLOT_BYTES, (count - 1 - slot) * SLOT_BYTES);
    count--;
  }

  /** Inserts a cell before a slot; false if the page has no room for it. */
  boolean insert(int slot, byte[] key, byte[] value) {
    int cell = LENGTHS_BYTES + key.length + value.length;
    if (cellsFrom - cell < (count + 1) * SLOT_BYTES) {
      if (cellsFrom + wasted - cell < (count + 1) * SLOT_BYTES) {
        return false;
      }
      compact();
    }
    cellsFrom -= cell;
    SHORT.set(bytes, cellsFrom, (short) key.length);
    SHORT.set(bytes, cellsFrom + 2, (short) value.length);
    System.arraycopy(key, 0, bytes, cellsFrom + LENGTHS_BYTES, key.length);
    System.arraycopy(value, 0, bytes, cellsFrom + LENGTHS_BYTES + key.length, value.length);
    System.arraycopy(
        bytes, slot * SLOT_BYTES, bytes, (slot + 1) * SLOT_BYTES, (count - slot) * SLOT_BYTES);
    SHORT.set(bytes, slot * SLOT_BYTES, (short) cellsFrom);
    count++;
    return true;
  }

  private void compact() {
    byte[] old = bytes;
    bytes = new byte[BYTES];
    cellsFrom = BYTES;
    wasted = 0;
    for (int slot = 0; slot < count; slot++) {
      int from = (short) SHORT.get(old, slot * SLOT_BYTES) & 0xffff;
      int length =
          LENGTHS_BYTES
              + ((short) SHORT.get(old, from) & 0xffff)
              + ((short) SHORT.get(old, from + 2) & 0xffff);
      cellsFrom -= length;
      System.arraycopy(old, from, bytes, cellsFrom, length);
      SHORT.set(bytes, slot * SLOT_BYTES, (short) cellsFrom);
    }
  }

  /** Moves the upper half of the cells, by number, to an empty page. */
  void moveUpperHalf(InlinePage empty) {
    int half = count / 2;
    for (int slot = half; slot < count; slot++) {
      int offset = offset(slot);
      int valueFrom = offset + LENGTHS_BYTES + keyLength(offset);
      byte[] value = Arrays.copyOfRange(bytes, valueFrom, valueFrom + valueLength(offset));
      empty.insert(slot - half, key(slot), value);
    }
    count = half;
    compact();
  }

  /** The number of a child as a value. */
  static byte[] childValue(int page) {
    byte[] value = new byte[Integer.BYTES];
    INT.set(value, 0, page);
    return value;
  }

  /** Takes the first cell of an inner page away, whose child becomes the lowest one. */
  void firstBecomesLink() {
    int offset = offset(0);
    link = (int) INT.get(bytes, offset + LENGTHS_BYTES + keyLength(offset));
    remove(0);
  }
}
