package org.loam.asterix.index;

import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.common.api.ITreeIndexFrame;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMTreeTupleReference;
import org.loam.asterix.key.AdmKeyFields;

/**
 * A tuple as the key and the value of an entry. The value has those fields that the key does not
 * give back just as they were; the format is in {@code docs/formats/adm-value.md}. Fields of the
 * key are written to memory of the tuple's own, the others are shown where the value is. What the
 * tuple shows is valid until the next {@link #reset}, and as long as the bytes that it was given
 * stay as they are.
 */
final class LoamTuple implements ILSMTreeTupleReference {
  private static final byte[] NOTHING = new byte[0];

  private final AdmKeyFields key;
  private final int keyFields;
  private final int[] starts;
  private final int[] lengths;

  /** The fields that are read from the key. */
  private final boolean[] fromKey;

  private byte[] data = NOTHING;
  private boolean isAntiMatter;

  /** A tuple that shows nothing yet. */
  LoamTuple(IndexShape shape) {
    this(shape.types().length, shape.keyTypes());
  }

  LoamTuple(int fields, byte[] keyTypes) {
    key = new AdmKeyFields(keyTypes);
    keyFields = keyTypes.length;
    starts = new int[fields];
    lengths = new int[fields];
    fromKey = new boolean[fields];
  }

  // ---- Values.

  /**
   * The value of an entry for a tuple.
   *
   * @param key the fields of its key
   */
  static byte[] value(ITupleReference tuple, AdmKeyFields key) {
    boolean[] isLeftOut = new boolean[tuple.getFieldCount()];
    int fields = 0;
    int size = 0;
    int sizeOfFields = 0;
    for (int i = 0; i < isLeftOut.length; i++) {
      int length = tuple.getFieldLength(i);
      isLeftOut[i] =
          i < key.count() && key.has(i, tuple.getFieldData(i), tuple.getFieldStart(i), length);
      size += isLeftOut[i] ? 1 : length + sizeBytes(length);
      if (!isLeftOut[i]) {
        fields = i + 1;
        sizeOfFields = size;
      }
    }
    byte[] value = new byte[sizeOfFields];
    int at = 0;
    for (int i = 0; i < fields; i++) {
      int length = isLeftOut[i] ? 0 : tuple.getFieldLength(i);
      at = put(value, at, tuple.getFieldData(i), tuple.getFieldStart(i), length);
    }
    return value;
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

  // ---- Showing.

  /** Shows the tuple of a key and a value; the value is not copied. */
  LoamTuple reset(byte[] itsKey, byte[] value) {
    return reset(itsKey, 0, itsKey.length, value, 0, value.length);
  }

  /** Shows the tuple of a key and a value that are parts of arrays; the value is not copied. */
  LoamTuple reset(byte[] keys, int keyFrom, int keyLength, byte[] values, int from, int length) {
    boolean needsKey = false;
    int at = from;
    int end = from + length;
    for (int i = 0; i < starts.length; i++) {
      int fieldLength = 0;
      if (at < end) {
        byte group = values[at++];
        fieldLength = group & 0x7f;
        for (int shift = 7; group < 0; shift += 7) {
          group = values[at++];
          fieldLength |= (group & 0x7f) << shift;
        }
      }
      starts[i] = at;
      lengths[i] = fieldLength;
      at += fieldLength;
      fromKey[i] = fieldLength == 0 && i < keyFields;
      needsKey |= fromKey[i];
    }
    if (needsKey) {
      key.read(keys, keyFrom, keyLength);
    }
    data = values;
    isAntiMatter = false;
    return this;
  }

  /** Stands for the delete of a tuple, without the fields of that tuple. */
  void resetToAntiMatter() {
    isAntiMatter = true;
  }

  @Override
  public int getFieldCount() {
    return starts.length;
  }

  @Override
  public byte[] getFieldData(int field) {
    return fromKey[field] ? key.array() : data;
  }

  @Override
  public int getFieldStart(int field) {
    return fromKey[field] ? key.start(field) : starts[field];
  }

  @Override
  public int getFieldLength(int field) {
    return fromKey[field] ? key.length(field) : lengths[field];
  }

  @Override
  public boolean isAntimatter() {
    return isAntiMatter;
  }

  // Only the pages of a B+-tree call these methods, and a tuple of this class is in no page.

  private static UnsupportedOperationException inNoPage() {
    return new UnsupportedOperationException("a tuple of Loam's is in no page");
  }

  @Override
  public int getTupleSize() {
    throw inNoPage();
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
