package org.loam.asterix.index;

import java.util.Arrays;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.common.api.ITreeIndexFrame;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMTreeTupleReference;

/**
 * A tuple as the value of an entry: each field with its size before it, in groups of 7 bits, the
 * lowest first, each but the last with the sign bit set. What it shows is valid until the next
 * {@link #reset}, and as long as the bytes that it was given stay as they are.
 */
final class LoamTuple implements ILSMTreeTupleReference {
  private static final byte[] NOTHING = new byte[0];

  private final int[] starts;
  private final int[] lengths;
  private byte[] data = NOTHING;
  private int offset;
  private int size;
  private boolean isAntiMatter;

  LoamTuple(int fields) {
    starts = new int[fields];
    lengths = new int[fields];
  }

  /** The value of an entry for a tuple. */
  static byte[] encode(ITupleReference tuple) {
    int fields = tuple.getFieldCount();
    int size = 0;
    for (int i = 0; i < fields; i++) {
      int length = tuple.getFieldLength(i);
      size += length + sizeBytes(length);
    }
    byte[] value = new byte[size];
    int at = 0;
    for (int i = 0; i < fields; i++) {
      at = put(value, at, tuple.getFieldData(i), tuple.getFieldStart(i), tuple.getFieldLength(i));
    }
    return value;
  }

  /** A tuple of these fields. */
  static LoamTuple of(byte[]... fields) {
    int size = 0;
    for (byte[] field : fields) {
      size += field.length + sizeBytes(field.length);
    }
    byte[] value = new byte[size];
    int at = 0;
    for (byte[] field : fields) {
      at = put(value, at, field, 0, field.length);
    }
    return new LoamTuple(fields.length).reset(value);
  }

  /** Puts a field into a value; returns where the next one goes. */
  private static int put(byte[] value, int start, byte[] field, int from, int length) {
    int at = start;
    int rest = length;
    while (rest > 0x7f) {
      value[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    value[at++] = (byte) rest;
    System.arraycopy(field, from, value, at, length);
    return at + length;
  }

  private static int sizeBytes(int length) {
    int bytes = 1;
    for (int rest = length >>> 7; rest > 0; rest >>>= 7) {
      bytes++;
    }
    return bytes;
  }

  /** Shows the tuple of a value, which is not copied. */
  LoamTuple reset(byte[] value) {
    return reset(value, 0, value.length);
  }

  /** Shows the tuple of a value that is a part of an array, which is not copied. */
  LoamTuple reset(byte[] value, int from, int length) {
    int at = from;
    for (int i = 0; i < starts.length; i++) {
      int fieldLength = 0;
      int shift = 0;
      byte group;
      do {
        group = value[at++];
        fieldLength |= (group & 0x7f) << shift;
        shift += 7;
      } while (group < 0);
      starts[i] = at;
      lengths[i] = fieldLength;
      at += fieldLength;
    }
    data = value;
    offset = from;
    size = length;
    isAntiMatter = false;
    return this;
  }

  /** Stands for the delete of a tuple, without the fields of that tuple. */
  void resetToAntiMatter() {
    isAntiMatter = true;
  }

  /** Another tuple that shows the same fields, from a copy of the bytes. */
  LoamTuple copy() {
    return new LoamTuple(starts.length).reset(Arrays.copyOfRange(data, offset, offset + size));
  }

  @Override
  public int getFieldCount() {
    return starts.length;
  }

  @Override
  public byte[] getFieldData(int field) {
    return data;
  }

  @Override
  public int getFieldStart(int field) {
    return starts[field];
  }

  @Override
  public int getFieldLength(int field) {
    return lengths[field];
  }

  @Override
  public boolean isAntimatter() {
    return isAntiMatter;
  }

  @Override
  public int getTupleSize() {
    return size;
  }

  // Only the pages of a B+-tree call these methods, and a tuple of this class is in no page.

  private static UnsupportedOperationException inNoPage() {
    return new UnsupportedOperationException("a tuple of Loam's is in no page");
  }

  @Override
  public void setFieldCount(int fieldCount) {
    throw inNoPage();
  }

  @Override
  public void setFieldCount(int fieldStartIndex, int fieldCount) {
    throw inNoPage();
  }

  @Override
  public void resetByTupleOffset(byte[] buf, int tupleStartOffset) {
    throw inNoPage();
  }

  @Override
  public void resetByTupleIndex(ITreeIndexFrame frame, int tupleIndex) {
    throw inNoPage();
  }
}
