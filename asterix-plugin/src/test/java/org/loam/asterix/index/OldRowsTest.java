package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Rows as earlier builds wrote them, with all fields in the value, are read beside those that leave
 * fields out, as databases of these builds have both.
 */
class OldRowsTest extends DatasetTest {
  private static final HexFormat HEX = HexFormat.of();

  // Bigints from 1 to 3 in keys, as fields with their size, and strings.
  private static final String[] KEYS = {
    "", "0abff0000000000000", "0ac000000000000000", "0ac008000000000000"
  };
  private static final String[] FIELDS = {
    "", "09040000000000000001", "09040000000000000002", "09040000000000000003"
  };
  private static final String A = "030d0161";
  private static final String X = "030d0178";

  private LoamIndex byNumber;

  @BeforeEach
  void fill() throws HyracksDataException {
    byNumber = dataset.secondary("byNumber", 2);
    begin().insert(2, "a").insertInto(byNumber, 3, 2).commit();
    write(dataset.primary(), KEYS[1], FIELDS[1] + A);
    write(dataset.primary(), KEYS[3], FIELDS[3] + A);
    write(byNumber, KEYS[3] + KEYS[1], FIELDS[3] + FIELDS[1]);
    write(byNumber, KEYS[1] + KEYS[3], FIELDS[1] + FIELDS[3]);
  }

  private static void write(LoamIndex index, String key, String value) throws HyracksDataException {
    index.tree().write(HEX.parseHex(key), HEX.parseHex(value));
  }

  private static String value(LoamIndex index, String key) throws HyracksDataException {
    return HEX.formatHex(index.tree().find(HEX.parseHex(key)).value());
  }

  private void requireRows() throws HyracksDataException {
    assertThat(dataset.rows()).containsExactly("1 a", "2 a", "3 a");
    assertThat(TestDataset.rows(byNumber)).containsExactly("1 3", "3 1", "3 2");
    assertThat(search().range(3, null)).containsExactly("3 a");
    assertThat(search().key(1)).containsExactly("1 a");
    assertThat(search().key(2)).containsExactly("2 a");
    assertThat(search().keys(1L, 2L, 3L)).containsExactly("1 a", "2 a", "3 a");
    assertThat(new Search(byNumber).range(3, 3)).containsExactly("3 1", "3 2");
  }

  @Test
  void inMemoryAndOnDisk() throws Exception {
    requireRows();
    dataset.flush();
    requireRows();
    dataset.crash();
    byNumber = dataset.secondary("byNumber", 2);
    requireRows();
  }

  @Test
  void aRowThatIsWrittenAgainLosesTheFieldsOfItsKey() throws Exception {
    dataset.flush();
    assertThat(value(dataset.primary(), KEYS[1])).isEqualTo(FIELDS[1] + A);
    assertThat(value(dataset.primary(), KEYS[2])).isEqualTo("00" + A);
    assertThat(value(byNumber, KEYS[3] + KEYS[2])).isEmpty();
    begin().upsert(1, "x").delete(3, "a").commit();
    assertThat(value(dataset.primary(), KEYS[1])).isEqualTo("00" + X);
    assertThat(dataset.rows()).containsExactly("1 x", "2 a");
    dataset.flush();
    dataset.primary().tree().compact();
    assertThat(dataset.rows()).containsExactly("1 x", "2 a");
  }

  @Test
  void theyAreAskedAboutAndTakenBack() throws Exception {
    dataset.flush();
    Transaction other = begin().upsert(1, "x").delete(3, "a");
    Search search = search().locked(1).locked(3).during("reconcile 3", other::rollBack);
    assertThat(search.range(null, null)).containsExactly("1 x", "2 a", "3 a");
    assertThat(search.asked)
        .containsExactly(
            "proceed 1", "reconcile 1", "complete 1", "proceed 3", "reconcile 3", "complete 3");
    assertThat(dataset.rows()).containsExactly("1 a", "2 a", "3 a");
  }
}
