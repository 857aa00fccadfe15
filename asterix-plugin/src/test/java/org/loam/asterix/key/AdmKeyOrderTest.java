package org.loam.asterix.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.loam.common.key.Direction.ASCENDING;
import static org.loam.common.key.Direction.DESCENDING;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.asterix.dataflow.data.nontagged.comparators.AGenericAscBinaryComparatorFactory;
import org.apache.asterix.formats.nontagged.BinaryComparatorFactoryProvider;
import org.apache.asterix.om.base.ABinary;
import org.apache.asterix.om.base.ADouble;
import org.apache.asterix.om.base.AFloat;
import org.apache.asterix.om.base.AInt64;
import org.apache.asterix.om.base.IAObject;
import org.apache.asterix.om.types.ATypeTag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.loam.common.key.Direction;

/** Keys of one field sort as AsterixDB's comparator of that field sorts the values. */
class AdmKeyOrderTest {
  private static final int ROUNDS = 10_000;

  static List<Arguments> fields() {
    List<Arguments> fields = new ArrayList<>();
    for (ATypeTag declared : AdmOrder.KEY_TYPES.keySet()) {
      for (Direction direction : Direction.values()) {
        fields.add(Arguments.of(declared, direction));
      }
    }
    return fields;
  }

  /** All that a field of an index may hold, against itself. */
  @ParameterizedTest
  @MethodSource("fields")
  void valuesOfAFieldSort(ATypeTag declared, Direction direction) {
    List<AdmValue> values = stored(declared);
    List<byte[]> keys = values.stream().map(value -> value.key(direction)).toList();
    for (int i = 0; i < keys.size(); i++) {
      for (int j = 0; j < keys.size(); j++) {
        int said = AdmOrder.compare(declared, direction, values.get(i), values.get(j));
        check(said, values.get(i), keys.get(i), values.get(j), keys.get(j));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("fields")
  void randomValuesOfAFieldSort(ATypeTag declared, Direction direction) {
    SplittableRandom random = new SplittableRandom(1);
    int[] signs = new int[3];
    for (int n = 0; n < ROUNDS; n++) {
      AdmValue a = AdmSamples.random(declared, random);
      AdmValue b = AdmSamples.random(declared, random);
      int said = AdmOrder.compare(declared, direction, a, b);
      check(said, a, a.key(direction), b, b.key(direction));
      signs[said + 1]++;
    }
    assertThat(signs).as("below, equal, above").doesNotContain(0);
  }

  /** All that a field may hold, against what may be searched for: values of every type. */
  @ParameterizedTest
  @MethodSource("fields")
  void searchedValuesOfEveryTypeSort(ATypeTag declared, Direction direction) {
    List<AdmValue> searched = new ArrayList<>(AdmSamples.ofOtherTypes());
    searched.add(AdmSamples.NULL);
    searched.add(AdmSamples.MISSING);
    for (ATypeTag type : AdmOrder.KEY_TYPES.keySet()) {
      searched.addAll(AdmSamples.special(type));
    }
    List<byte[]> keys = searched.stream().map(value -> value.searchedKey(direction)).toList();
    for (AdmValue a : stored(declared)) {
      byte[] key = a.key(direction);
      for (int i = 0; i < keys.size(); i++) {
        AdmValue b = searched.get(i);
        check(AdmOrder.expected(declared, direction, a, b), a, key, b, keys.get(i));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("fields")
  void randomSearchedValuesOfEveryTypeSort(ATypeTag declared, Direction direction) {
    SplittableRandom random = new SplittableRandom(2);
    ATypeTag[] types = AdmOrder.KEY_TYPES.keySet().toArray(new ATypeTag[0]);
    for (int n = 0; n < ROUNDS; n++) {
      AdmValue a = AdmSamples.random(declared, random);
      AdmValue b = AdmSamples.random(types[random.nextInt(types.length)], random);
      int expected = AdmOrder.expected(declared, direction, a, b);
      check(expected, a, a.key(direction), b, b.searchedKey(direction));
    }
  }

  @ParameterizedTest
  @MethodSource("fields")
  void aKeyIsTheSameWhereItIsSearchedFor(ATypeTag declared, Direction direction) {
    for (AdmValue value : stored(declared)) {
      assertThat(value.searchedKey(direction)).isEqualTo(value.key(direction));
    }
  }

  /** Why keys cannot agree there: below and equal do not go together. */
  @Test
  void theComparatorOrdersNoMixOfIntegersAndReals() {
    assertEqualToBothOfTwo(new ADouble(0x1p53), new AInt64(1L << 53), new AInt64((1L << 53) + 1));
    assertEqualToBothOfTwo(new AFloat(0x1p24f), new AInt64(1L << 24), new AInt64((1L << 24) + 1));
  }

  @Test
  void theComparatorOrdersNoMixOfBinaryAndNumbers() {
    AdmValue two = AdmValue.of(new AInt64(2));
    AdmValue binary = AdmValue.of(new ABinary(new byte[1]));
    AdmValue one = AdmValue.of(new ADouble(1));
    assertThat(AdmOrder.compare(ATypeTag.BIGINT, ASCENDING, two, binary)).isNegative();
    assertThat(AdmOrder.compare(ATypeTag.BIGINT, ASCENDING, binary, one)).isNegative();
    assertThat(AdmOrder.compare(ATypeTag.BIGINT, ASCENDING, two, one)).isPositive();
  }

  /** The one comparator that an index has, for which the encoding is made. */
  @Test
  void theProviderGivesAllFieldsTheGenericComparator() {
    AdmOrder.KEY_TYPES.forEach(
        (tag, type) ->
            assertThat(
                    BinaryComparatorFactoryProvider.INSTANCE.getBinaryComparatorFactory(type, true))
                .as(tag.name())
                .isInstanceOf(AGenericAscBinaryComparatorFactory.class));
  }

  private static void assertEqualToBothOfTwo(IAObject real, IAObject low, IAObject high) {
    AdmValue r = AdmValue.of(real);
    AdmValue a = AdmValue.of(low);
    AdmValue b = AdmValue.of(high);
    assertThat(AdmOrder.compare(r.type(), ASCENDING, r, a)).isZero();
    assertThat(AdmOrder.compare(r.type(), ASCENDING, r, b)).isZero();
    assertThat(AdmOrder.compare(r.type(), ASCENDING, a, b)).isNegative();
    assertThat(r.key(DESCENDING)).isEqualTo(a.key(DESCENDING));
    assertThat(Arrays.compareUnsigned(r.key(ASCENDING), b.key(ASCENDING))).isNegative();
  }

  private static List<AdmValue> stored(ATypeTag declared) {
    List<AdmValue> values = new ArrayList<>(AdmSamples.special(declared));
    values.add(AdmSamples.NULL);
    values.add(AdmSamples.MISSING);
    return values;
  }

  private static void check(int expected, AdmValue a, byte[] keyA, AdmValue b, byte[] keyB) {
    int actual = Integer.signum(Arrays.compareUnsigned(keyA, keyB));
    if (actual != expected) {
      fail("%s against %s is %d, should be %d", a, b, actual, expected);
    }
  }
}
