package org.loam.asterix.hyracks;

import java.util.Arrays;
import org.apache.asterix.om.types.ATypeTag;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.data.std.primitive.IntegerPointable;
import org.apache.hyracks.data.std.primitive.UTF8StringPointable;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;

/**
 * A tuple of AsterixDB: fields begin with the tag of their type, and go on as those of Hyracks'
 * tests. The bytes are its own.
 */
final class TypedTuple implements ITupleReference {
  private final byte[][] fields;

  /**
   * @param tuple of Hyracks' tests
   * @param tags of all fields that an index may have
   */
  TypedTuple(ITupleReference tuple, byte[] tags) {
    fields = new byte[tuple.getFieldCount()][];
    for (int i = 0; i < fields.length; i++) {
      int length = tuple.getFieldLength(i);
      byte[] field = new byte[1 + length];
      field[0] = tags[i];
      System.arraycopy(tuple.getFieldData(i), tuple.getFieldStart(i), field, 1, length);
      fields[i] = field;
    }
  }

  /** The tags of fields that Hyracks describes. */
  static byte[] tags(ITypeTraits[] types) {
    byte[] tags = new byte[types.length];
    for (int i = 0; i < tags.length; i++) {
      tags[i] = tag(types[i]).serialize();
    }
    return tags;
  }

  private static ATypeTag tag(ITypeTraits type) {
    if (type == IntegerPointable.TYPE_TRAITS) {
      return ATypeTag.INTEGER;
    } else if (type == UTF8StringPointable.TYPE_TRAITS) {
      return ATypeTag.STRING;
    }
    throw new IllegalArgumentException("no field of Hyracks' tests is of " + type);
  }

  @Override
  public int getFieldCount() {
    return fields.length;
  }

  @Override
  public byte[] getFieldData(int field) {
    return fields[field];
  }

  @Override
  public int getFieldStart(int field) {
    return 0;
  }

  @Override
  public int getFieldLength(int field) {
    return fields[field].length;
  }

  @Override
  public String toString() {
    return Arrays.deepToString(fields);
  }

  /** Shows a tuple of AsterixDB without the tags, as long as the tuple does not change. */
  record Untyped(ITupleReference tuple) implements ITupleReference {
    @Override
    public int getFieldCount() {
      return tuple.getFieldCount();
    }

    @Override
    public byte[] getFieldData(int field) {
      return tuple.getFieldData(field);
    }

    @Override
    public int getFieldStart(int field) {
      return tuple.getFieldStart(field) + 1;
    }

    @Override
    public int getFieldLength(int field) {
      return tuple.getFieldLength(field) - 1;
    }
  }
}
