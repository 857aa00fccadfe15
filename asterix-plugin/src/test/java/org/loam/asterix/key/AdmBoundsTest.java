package org.loam.asterix.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.loam.common.key.Direction.ASCENDING;
import static org.loam.common.key.Direction.DESCENDING;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.asterix.om.base.AInt64;
import org.apache.asterix.om.base.AString;
import org.apache.asterix.om.types.ATypeTag;
import org.junit.jupiter.api.Test;
import org.loam.common.key.Direction;
import org.loam.common.key.KeyBuilder;

/** Keys of several fields sort as tuples do, and bounds find the tuples that a search should. */
class AdmBoundsTest {
  private static final ATypeTag[] TYPES = AdmOrder.KEY_TYPES.keySet().toArray(new ATypeTag[0]);

  private final KeyBuilder key = new KeyBuilder();
  private final AdmKeyEncoder encoder = new AdmKeyEncoder(key);

  @Test
  void aBoundThatIsTooLongPartsTheKeysThatAreNotAsItDoes() {
    SplittableRandom random = new SplittableRandom(1);
    byte[] bytes = {0, 1, (byte) 0xfe, (byte) 0xff};
    for (int round = 0; round < 100_000; round++) {
      int max = 1 + random.nextInt(4);
      byte[] bound = some(bytes, 1 + random.nextInt(7), random);
      byte[] stored = some(bytes, random.nextInt(max + 1), random);
      bound[0] = bytes[random.nextInt(3)];
      if (stored.length > 0) {
        stored[0] = bytes[random.nextInt(3)];
      }
      byte[] within = AdmBounds.within(max, bound);
      assertThat(within).hasSizeLessThanOrEqualTo(max);
      assertThat(Arrays.compareUnsigned(stored, within) < 0)
          .as("%s below %s", Arrays.toString(stored), Arrays.toString(bound))
          .isEqualTo(Arrays.compareUnsigned(stored, bound) < 0);
    }
  }

  private static byte[] some(byte[] bytes, int length, SplittableRandom random) {
    byte[] some = new byte[length];
    for (int i = 0; i < length; i++) {
      some[i] = bytes[random.nextInt(bytes.length)];
    }
    return some;
  }

  /** The fields of an index. */
  private record Fields(ATypeTag[] types, Direction[] directions) {
    static Fields random(SplittableRandom random) {
      int count = 1 + random.nextInt(4);
      ATypeTag[] types = new ATypeTag[count];
      Direction[] directions = new Direction[count];
      for (int i = 0; i < count; i++) {
        types[i] = TYPES[random.nextInt(TYPES.length)];
        directions[i] = random.nextBoolean() ? ASCENDING : DESCENDING;
      }
      return new Fields(types, directions);
    }

    /** A few values for each field, so that many tuples begin alike. */
    List<List<AdmValue>> someValues(SplittableRandom random) {
      List<List<AdmValue>> values = new ArrayList<>();
      for (ATypeTag type : types) {
        List<AdmValue> ofField = new ArrayList<>(List.of(AdmSamples.NULL, AdmSamples.MISSING));
        for (int n = 0; n < 4; n++) {
          ofField.add(AdmSamples.random(type, random));
        }
        values.add(ofField);
      }
      return values;
    }

    /** Compares as many fields as the shorter one has. */
    int compare(List<AdmValue> a, List<AdmValue> b) {
      for (int i = 0; i < a.size() && i < b.size(); i++) {
        int sign = AdmOrder.expected(types[i], directions[i], a.get(i), b.get(i));
        if (sign != 0) {
          return sign;
        }
      }
      return 0;
    }
  }

  @Test
  void tuplesSortFieldByField() {
    SplittableRandom random = new SplittableRandom(3);
    int[] signs = new int[3];
    for (int round = 0; round < 1_000; round++) {
      Fields fields = Fields.random(random);
      List<List<AdmValue>> values = fields.someValues(random);
      for (int n = 0; n < 50; n++) {
        List<AdmValue> a = tuple(values, values.size(), random);
        List<AdmValue> b = tuple(values, values.size(), random);
        int expected = fields.compare(a, b);
        int actual = Integer.signum(Arrays.compareUnsigned(encode(fields, a), encode(fields, b)));
        if (actual != expected) {
          fail("%s against %s is %d, should be %d", a, b, actual, expected);
        }
        signs[expected + 1]++;
      }
    }
    assertThat(signs).as("below, equal, above").doesNotContain(0);
  }

  /** Of a search key with the first fields, or with all: inclusive and exclusive, low and high. */
  @Test
  void boundsHoldTheTuplesThatASearchShould() {
    SplittableRandom random = new SplittableRandom(4);
    int[] outcomes = new int[2];
    for (int round = 0; round < 2_000; round++) {
      Fields fields = Fields.random(random);
      List<List<AdmValue>> values = fields.someValues(random);
      List<List<AdmValue>> searchedValues = withOtherTypes(values, random);
      for (int n = 0; n < 50; n++) {
        List<AdmValue> tuple = tuple(values, values.size(), random);
        List<AdmValue> low = tuple(searchedValues, 1 + random.nextInt(values.size()), random);
        List<AdmValue> high = tuple(searchedValues, 1 + random.nextInt(values.size()), random);
        boolean lowIncluded = random.nextBoolean();
        boolean highIncluded = random.nextBoolean();
        int toLow = fields.compare(tuple, low);
        int toHigh = fields.compare(tuple, high);
        boolean expected =
            (lowIncluded ? toLow >= 0 : toLow > 0) && (highIncluded ? toHigh <= 0 : toHigh < 0);
        byte[] from = AdmBounds.from(encodeSearched(fields, low), lowIncluded);
        byte[] to = AdmBounds.to(encodeSearched(fields, high), highIncluded);
        if (isWithin(encode(fields, tuple), from, to) != expected) {
          fail("%s from %s %s to %s %s", tuple, low, lowIncluded, high, highIncluded);
        }
        outcomes[expected ? 1 : 0]++;
      }
    }
    assertThat(Math.min(outcomes[0], outcomes[1])).isGreaterThan(1_000);
  }

  @Test
  void aKeyWithoutFieldsStandsForAll() {
    byte[] some = AdmValue.of(new AInt64(-1)).key(DESCENDING);
    byte[] none = new byte[0];
    assertThat(AdmBounds.to(none, true)).isNull();
    assertThat(isWithin(some, AdmBounds.from(none, true), null)).isTrue();
    assertThat(isWithin(some, AdmBounds.from(none, false), null)).isFalse();
    assertThat(isWithin(some, none, AdmBounds.to(none, false))).isFalse();
  }

  @Test
  void partsOfOtherKindsMayFollow() {
    byte[] first = AdmValue.of(new AString("a")).bytes();
    encoder.add(first, 0, first.length);
    byte[] expected = key.toBytes();
    key.add(7);
    byte[] longer = key.toBytes();
    assertThat(isWithin(longer, AdmBounds.from(expected, true), AdmBounds.to(expected, true)))
        .isTrue();
  }

  /** What may be searched for in each field: its values, and one of each of some other types. */
  private static List<List<AdmValue>> withOtherTypes(
      List<List<AdmValue>> values, SplittableRandom random) {
    List<AdmValue> others = AdmSamples.ofOtherTypes();
    List<List<AdmValue>> searched = new ArrayList<>();
    for (List<AdmValue> ofField : values) {
      List<AdmValue> more = new ArrayList<>(ofField);
      more.add(others.get(random.nextInt(others.size())));
      more.add(AdmSamples.random(TYPES[random.nextInt(TYPES.length)], random));
      searched.add(more);
    }
    return Collections.unmodifiableList(searched);
  }

  private static List<AdmValue> tuple(
      List<List<AdmValue>> values, int count, SplittableRandom random) {
    List<AdmValue> tuple = new ArrayList<>();
    for (List<AdmValue> ofField : values.subList(0, count)) {
      tuple.add(ofField.get(random.nextInt(ofField.size())));
    }
    return tuple;
  }

  private byte[] encode(Fields fields, List<AdmValue> tuple) {
    key.clear();
    for (int i = 0; i < tuple.size(); i++) {
      byte[] bytes = tuple.get(i).bytes();
      key.direction(fields.directions()[i]);
      encoder.add(bytes, 0, bytes.length);
    }
    return key.toBytes();
  }

  private byte[] encodeSearched(Fields fields, List<AdmValue> tuple) {
    key.clear();
    for (int i = 0; i < tuple.size(); i++) {
      byte[] bytes = tuple.get(i).bytes();
      key.direction(fields.directions()[i]);
      encoder.addSearched(bytes, 0, bytes.length);
    }
    return key.toBytes();
  }

  private static boolean isWithin(byte[] key, byte[] from, byte[] to) {
    return Arrays.compareUnsigned(key, from) >= 0
        && (to == null || Arrays.compareUnsigned(key, to) < 0);
  }
}
