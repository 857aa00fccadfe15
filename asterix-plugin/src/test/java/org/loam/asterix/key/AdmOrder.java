package org.loam.asterix.key;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.asterix.formats.nontagged.BinaryComparatorFactoryProvider;
import org.apache.asterix.om.types.ATypeTag;
import org.apache.asterix.om.types.BuiltinType;
import org.apache.asterix.om.types.IAType;
import org.apache.hyracks.api.dataflow.value.IBinaryComparator;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.loam.common.key.Direction;

/**
 * The order of fields, by AsterixDB's own comparators: those that its factory provider gives to an
 * index for a field of a declared type.
 */
public final class AdmOrder {
  /** The types that a field of a key may be declared with. */
  public static final Map<ATypeTag, IAType> KEY_TYPES = keyTypes();

  private static final Map<ATypeTag, IBinaryComparator> ASCENDING = comparators(true);
  private static final Map<ATypeTag, IBinaryComparator> DESCENDING = comparators(false);

  private AdmOrder() {}

  private static Map<ATypeTag, IAType> keyTypes() {
    Map<ATypeTag, IAType> types = new EnumMap<>(ATypeTag.class);
    for (IAType type :
        List.of(
            BuiltinType.AINT8,
            BuiltinType.AINT16,
            BuiltinType.AINT32,
            BuiltinType.AINT64,
            BuiltinType.AFLOAT,
            BuiltinType.ADOUBLE,
            BuiltinType.ASTRING,
            BuiltinType.ABINARY,
            BuiltinType.ADATE,
            BuiltinType.ATIME,
            BuiltinType.ADATETIME,
            BuiltinType.AYEARMONTHDURATION,
            BuiltinType.ADAYTIMEDURATION,
            BuiltinType.AUUID)) {
      types.put(type.getTypeTag(), type);
    }
    return types;
  }

  private static Map<ATypeTag, IBinaryComparator> comparators(boolean ascending) {
    Map<ATypeTag, IBinaryComparator> comparators = new EnumMap<>(ATypeTag.class);
    KEY_TYPES.forEach(
        (tag, type) ->
            comparators.put(
                tag,
                BinaryComparatorFactoryProvider.INSTANCE
                    .getBinaryComparatorFactory(type, ascending)
                    .createBinaryComparator()));
    return comparators;
  }

  /** What the comparator of a field of this declared type says, as a sign. */
  static int compare(ATypeTag declared, Direction direction, AdmValue a, AdmValue b) {
    IBinaryComparator comparator =
        Objects.requireNonNull(
            (direction == Direction.ASCENDING ? ASCENDING : DESCENDING).get(declared));
    try {
      return Integer.signum(
          comparator.compare(a.bytes(), 0, a.bytes().length, b.bytes(), 0, b.bytes().length));
    } catch (HyracksDataException e) {
      throw new AssertionError(e);
    }
  }

  /** The sign that keys should have: the comparator's but where it has no order. */
  static int expected(ATypeTag declared, Direction direction, AdmValue a, AdmValue b) {
    int said = compare(declared, direction, a, b);
    int ascending = direction == Direction.ASCENDING ? 1 : -1;
    if (said == 0 && a.number() != null && b.number() != null) {
      // It may have rounded a number to compare it with one of another type.
      return a.number().compareTo(b.number()) * ascending;
    } else if (a.type() == ATypeTag.BINARY && b.isReal()) {
      return ascending;
    } else if (a.isReal() && b.type() == ATypeTag.BINARY) {
      return -ascending;
    }
    return said;
  }
}
