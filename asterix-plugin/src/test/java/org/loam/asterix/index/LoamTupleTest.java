package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.asterix.om.types.ATypeTag;
import org.apache.hyracks.dataflow.common.comm.io.ArrayTupleBuilder;
import org.apache.hyracks.dataflow.common.comm.io.ArrayTupleReference;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tuples as keys and values of entries. */
class LoamTupleTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final byte[] BIGINT = {ATypeTag.BIGINT.serialize()};
  private static final byte[] BIGINT_STRING = {
    ATypeTag.BIGINT.serialize(), ATypeTag.STRING.serialize()
  };
  private static final byte[] FIVE = HEX.parseHex("040000000000000005");
  private static final byte[] TEXT = HEX.parseHex("0d026162");

  private final Random random = new Random(1);

  @SuppressWarnings("deprecation") // AsterixDB uses it, too.
  private static ITupleReference tuple(List<byte[]> fields) throws Exception {
    ArrayTupleBuilder builder = new ArrayTupleBuilder(fields.size());
    for (byte[] field : fields) {
      builder.addField(field, 0, field.length);
    }
    ArrayTupleReference tuple = new ArrayTupleReference();
    tuple.reset(builder.getFieldEndOffsets(), builder.getByteArray());
    return tuple;
  }

  private static List<byte[]> fields(ITupleReference tuple) {
    List<byte[]> fields = new ArrayList<>();
    for (int i = 0; i < tuple.getFieldCount(); i++) {
      int start = tuple.getFieldStart(i);
      fields.add(Arrays.copyOfRange(tuple.getFieldData(i), start, start + tuple.getFieldLength(i)));
    }
    return fields;
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static void assertShows(LoamTuple shown, List<byte[]> fields) {
    assertThat(fields(shown)).usingElementComparator(Arrays::compare).isEqualTo(fields);
    assertThat(shown.isAntimatter()).isFalse();
  }

  /** Stores a tuple and shows it; returns its value. */
  private static byte[] check(byte[] keyTypes, List<byte[]> fields) throws Exception {
    ITupleReference tuple = tuple(fields);
    TupleKeys keys = new TupleKeys(keyTypes);
    byte[] key = keys.key(tuple);
    byte[] value = keys.value(key, tuple);
    LoamTuple shown = new LoamTuple(fields.size(), keyTypes);
    assertShows(shown.reset(key, value), fields);
    assertThat(keys.value(key, shown)).isEqualTo(value);
    // Whatever it has shown before, and wherever key and value are.
    byte[] array = new byte[key.length + value.length + 9];
    Arrays.fill(array, (byte) 0x81);
    System.arraycopy(value, 0, array, 3, value.length);
    System.arraycopy(key, 0, array, value.length + 5, key.length);
    shown.reset(array, value.length + 5, key.length, array, 3, value.length);
    assertShows(shown, fields);
    return value;
  }

  @Test
  void fieldsOfTheKeyAreLeftOut() throws Exception {
    assertThat(check(BIGINT, List.of(FIVE))).isEmpty();
    assertThat(check(BIGINT_STRING, List.of(FIVE, TEXT))).isEmpty();
    assertThat(check(BIGINT, List.of(FIVE, TEXT))).isEqualTo(HEX.parseHex("00040d026162"));
    assertThat(check(BIGINT_STRING, List.of(FIVE, TEXT, new byte[] {7, 8})))
        .isEqualTo(HEX.parseHex("0000020708"));
  }

  @Test
  void otherFieldsMayHaveAnySize() throws Exception {
    for (int length : new int[] {0, 1, 127, 128, 16_383, 16_384, 3_000_000}) {
      check(BIGINT, List.of(FIVE, bytes(length), bytes(0), bytes(9)));
      check(BIGINT, List.of(FIVE, bytes(9), bytes(length)));
    }
  }

  @ParameterizedTest
  @CsvSource({
    // A string with a zero in one byte, of which the key has two; a double in an index of bigints.
    "040000000000000005, 0d0100, 00030d0100",
    "0c4014000000000000, 0d026162, 090c4014000000000000",
    "0c4014000000000000, 0d0100, 090c4014000000000000030d0100",
    // Null and missing.
    "29, 0e, ''",
    "29, 0d0100, 00030d0100",
  })
  void aFieldThatTheKeyDoesNotGiveBackStays(String first, String second, String value)
      throws Exception {
    List<byte[]> fields = List.of(HEX.parseHex(first), HEX.parseHex(second));
    assertThat(check(BIGINT_STRING, fields)).isEqualTo(HEX.parseHex(value));
    List<byte[]> more = List.of(fields.get(0), fields.get(1), TEXT);
    check(BIGINT_STRING, more);
  }

  /** Rows of version 1, which have all fields, and may be among those of version 2. */
  @ParameterizedTest
  @CsvSource({
    "040000000000000005, 0d026162, 09040000000000000005040d026162",
    "0c4014000000000000, 0d0100, 090c4014000000000000030d0100",
    "29, 0e, 0129010e",
  })
  void aValueMayHaveAllFields(String first, String second, String value) throws Exception {
    List<byte[]> fields = List.of(HEX.parseHex(first), HEX.parseHex(second));
    byte[] old = HEX.parseHex(value);
    LoamTuple shown = new LoamTuple(2, BIGINT_STRING);
    byte[] key = new TupleKeys(BIGINT_STRING).key(tuple(fields));
    assertShows(shown.reset(key, old), fields);
    assertShows(shown.reset(key, new TupleKeys(BIGINT_STRING).value(key, tuple(fields))), fields);
    assertShows(shown.reset(key, old), fields);
  }

  @Test
  void anEntryThatWasDeletedHasTheFieldsOfItsKey() throws Exception {
    byte[] key = new TupleKeys(BIGINT).key(tuple(List.of(FIVE)));
    assertShows(new LoamTuple(2, BIGINT).reset(key, new byte[0]), List.of(FIVE, new byte[0]));
  }

  @Test
  void itIsAntiMatterUntilItShowsAValue() throws Exception {
    LoamTuple shown = new LoamTuple(1, BIGINT);
    shown.resetToAntiMatter();
    assertThat(shown.isAntimatter()).isTrue();
    byte[] key = new TupleKeys(BIGINT).key(tuple(List.of(FIVE)));
    assertThat(shown.reset(key, new byte[0]).isAntimatter()).isFalse();
  }

  @Test
  void itIsInNoPage() {
    LoamTuple tuple = new LoamTuple(1, BIGINT);
    assertThatThrownBy(tuple::getTupleSize).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> tuple.setFieldCount(1))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
