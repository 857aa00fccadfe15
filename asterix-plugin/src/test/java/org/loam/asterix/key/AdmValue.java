package org.loam.asterix.key;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.math.BigDecimal;
import java.util.HexFormat;
import org.apache.asterix.dataflow.data.nontagged.serde.AObjectSerializerDeserializer;
import org.apache.asterix.om.base.ADouble;
import org.apache.asterix.om.base.AFloat;
import org.apache.asterix.om.base.AInt16;
import org.apache.asterix.om.base.AInt32;
import org.apache.asterix.om.base.AInt64;
import org.apache.asterix.om.base.AInt8;
import org.apache.asterix.om.base.IAObject;
import org.apache.asterix.om.types.ATypeTag;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.jspecify.annotations.Nullable;
import org.loam.common.key.Direction;
import org.loam.common.key.KeyBuilder;

/**
 * A value as AsterixDB serializes it.
 *
 * @param number its exact value, null if it is no finite number
 */
record AdmValue(ATypeTag type, byte[] bytes, @Nullable BigDecimal number) {
  static AdmValue of(IAObject object) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      AObjectSerializerDeserializer.INSTANCE.serialize(object, new DataOutputStream(out));
    } catch (HyracksDataException e) {
      throw new AssertionError(e);
    }
    return new AdmValue(object.getType().getTypeTag(), out.toByteArray(), numberOf(object));
  }

  /** Something of a type of which only the tag matters, because no key has it. */
  static AdmValue ofOtherType(ATypeTag type) {
    return new AdmValue(type, new byte[] {type.serialize(), 1, 0, -1}, null);
  }

  /** The key of this field alone. */
  byte[] key(Direction direction) {
    KeyBuilder key = new KeyBuilder().direction(direction);
    new AdmKeyEncoder(key).add(bytes, 0, bytes.length);
    return key.toBytes();
  }

  /** The key of this field alone where it is searched for. */
  byte[] searchedKey(Direction direction) {
    KeyBuilder key = new KeyBuilder().direction(direction);
    new AdmKeyEncoder(key).addSearched(bytes, 0, bytes.length);
    return key.toBytes();
  }

  boolean isReal() {
    return type == ATypeTag.FLOAT || type == ATypeTag.DOUBLE;
  }

  @Override
  public String toString() {
    return type + " 0x" + HexFormat.of().formatHex(bytes);
  }

  private static @Nullable BigDecimal numberOf(IAObject object) {
    if (object instanceof AInt8 v) {
      return BigDecimal.valueOf(v.getByteValue());
    } else if (object instanceof AInt16 v) {
      return BigDecimal.valueOf(v.getShortValue());
    } else if (object instanceof AInt32 v) {
      return BigDecimal.valueOf(v.getIntegerValue());
    } else if (object instanceof AInt64 v) {
      return BigDecimal.valueOf(v.getLongValue());
    } else if (object instanceof AFloat v && Float.isFinite(v.getFloatValue())) {
      return new BigDecimal(v.getFloatValue());
    } else if (object instanceof ADouble v && Double.isFinite(v.getDoubleValue())) {
      return new BigDecimal(v.getDoubleValue());
    }
    return null;
  }
}
