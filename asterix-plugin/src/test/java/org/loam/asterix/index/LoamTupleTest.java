package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hyracks.dataflow.common.comm.io.ArrayTupleBuilder;
import org.apache.hyracks.dataflow.common.comm.io.ArrayTupleReference;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.junit.jupiter.api.Test;

/** Tuples as values of entries. */
class LoamTupleTest {
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

  @Test
  void aValueGivesTheFieldsBack() throws Exception {
    for (int length : new int[] {0, 1, 127, 128, 16_383, 16_384, 3_000_000}) {
      List<byte[]> fields = List.of(bytes(length), bytes(0), bytes(9));
      byte[] value = LoamTuple.encode(tuple(fields));
      LoamTuple shown = new LoamTuple(3).reset(value);
      assertThat(shown.isAntimatter()).isFalse();
      assertThat(fields(shown)).usingElementComparator(Arrays::compare).isEqualTo(fields);
      assertThat(LoamTuple.encode(shown)).isEqualTo(value);
    }
  }

  @Test
  void itIsAntiMatterUntilItShowsAValue() throws Exception {
    byte[] value = LoamTuple.encode(tuple(List.of(bytes(9))));
    LoamTuple shown = new LoamTuple(1);
    shown.resetToAntiMatter();
    assertThat(shown.isAntimatter()).isTrue();
    assertThat(shown.reset(value).isAntimatter()).isFalse();
  }

  @Test
  void aFieldTakesOneByteMoreThanItHas() throws Exception {
    assertThat(LoamTuple.encode(tuple(List.of(bytes(9), bytes(100))))).hasSize(111);
  }

  @Test
  void aValueMayBeAPartOfAnArray() throws Exception {
    List<byte[]> fields = List.of(bytes(200), bytes(1));
    byte[] value = LoamTuple.encode(tuple(fields));
    byte[] array = bytes(value.length + 30);
    System.arraycopy(value, 0, array, 20, value.length);
    LoamTuple shown = new LoamTuple(2).reset(array, 20, value.length);
    assertThat(fields(shown)).usingElementComparator(Arrays::compare).isEqualTo(fields);
    assertThat(shown.getTupleSize()).isEqualTo(value.length);
    assertThat(LoamTuple.encode(shown)).isEqualTo(value);
  }

  @Test
  void aCopyStaysWhenTheBytesChange() throws Exception {
    byte[] array = {9, 9, 1, 1};
    LoamTuple tuple = new LoamTuple(1).reset(array, 2, 2);
    LoamTuple copy = tuple.copy();
    array[3] = 2;
    assertThat(fields(copy).get(0)).containsExactly(1);
    assertThat(fields(tuple).get(0)).containsExactly(2);
    tuple.reset(LoamTuple.encode(tuple(List.of(new byte[] {3, 4}))));
    assertThat(fields(copy).get(0)).containsExactly(1);
    assertThat(fields(tuple).get(0)).containsExactly(3, 4);
  }
}
