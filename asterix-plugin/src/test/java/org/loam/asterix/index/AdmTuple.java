package org.loam.asterix.index;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.asterix.dataflow.data.nontagged.serde.AObjectSerializerDeserializer;
import org.apache.asterix.om.base.AInt64;
import org.apache.asterix.om.base.AString;
import org.apache.asterix.om.base.IAObject;
import org.apache.hyracks.api.dataflow.value.ISerializerDeserializer;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.dataflow.common.utils.TupleUtils;

/** Tuples of AsterixDB, whose fields are bigints and strings. Pure functions. */
final class AdmTuple {
  private AdmTuple() {}

  /**
   * A tuple.
   *
   * @param fields numbers and strings
   */
  static ITupleReference of(Object... fields) {
    IAObject[] values = new IAObject[fields.length];
    ISerializerDeserializer<?>[] formats = new ISerializerDeserializer<?>[fields.length];
    for (int i = 0; i < fields.length; i++) {
      formats[i] = AObjectSerializerDeserializer.INSTANCE;
      values[i] =
          fields[i] instanceof Number number
              ? new AInt64(number.longValue())
              : new AString((String) fields[i]);
    }
    try {
      return TupleUtils.createTuple(formats, (Object[]) values);
    } catch (HyracksDataException e) {
      throw new AssertionError(e);
    }
  }

  /** The fields of a tuple, with a space between two. */
  static String text(ITupleReference tuple) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < tuple.getFieldCount(); i++) {
      texts.add(text(tuple, i));
    }
    return String.join(" ", texts);
  }

  /** A field of a tuple. */
  static String text(ITupleReference tuple, int field) {
    DataInputStream in =
        new DataInputStream(
            new ByteArrayInputStream(
                tuple.getFieldData(field),
                tuple.getFieldStart(field),
                tuple.getFieldLength(field)));
    try {
      IAObject value = AObjectSerializerDeserializer.INSTANCE.deserialize(in);
      return value instanceof AString string
          ? string.getStringValue()
          : Long.toString(((AInt64) value).getLongValue());
    } catch (HyracksDataException e) {
      throw new AssertionError(e);
    }
  }
}
