package org.loam.workbench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.loam.workbench.demo.ExpectedIndex.Row;

class ExpectedTest {
  private static final DemoRecord RECORD = Packages.record("a", "libs", 7, "ann", "b", "c", "b");

  private final Expected expected = new Expected();

  private List<String> keys(List<Row> rows) {
    return rows.stream().map(row -> row.entry().key()).toList();
  }

  @Test
  void anAnswerIsRightOrNot() {
    assertThat(expected.isRight("a", null)).isTrue();
    assertThat(expected.isRight("a", new byte[0])).isFalse();
    expected.put(RECORD.rewritten(3));
    assertThat(expected.isRight("a", RECORD.rewritten(3).bytes())).isTrue();
    assertThat(expected.isRight("a", RECORD.rewritten(2).bytes())).isFalse();
    assertThat(expected.isRight("a", null)).isFalse();
    Expected before = expected.copy();
    expected.delete("a");
    assertThat(expected.isRight("a", null)).isTrue();
    assertThat(before.count()).isEqualTo(1);
  }

  @Test
  void valuesAreThoseOfTheRecordEachElementOnce() {
    assertThat(RECORD.values()).isEqualTo(new Values("libs", 7, "ann", List.of("b", "c")));
    assertThat(RECORD.rewritten(0)).isSameAs(RECORD);
  }

  @Test
  void anUpdateMovesEntriesOfSomeRecordsInEachIndex() {
    long[] moved = new long[4];
    for (int i = 0; i < 160; i++) {
      DemoRecord before = Packages.number(i);
      DemoRecord after = before.rewritten(1);
      assertThat(after.key()).isEqualTo(before.key());
      for (IndexKind kind : IndexKind.values()) {
        if (!kind.keys(after.values()).equals(kind.keys(before.values()))) {
          moved[kind.ordinal()]++;
        }
      }
    }
    for (long count : moved) {
      assertThat(count).isBetween(1L, 80L);
    }
  }

  @Test
  void aRecordThatIsHandedOverKeepsTheRest() {
    DemoRecord handed = RECORD.handedTo("bob");
    assertThat(handed.values()).isEqualTo(new Values("libs", 7, "bob", List.of("b", "c")));
    assertThat(handed.bytes()).isNotEqualTo(RECORD.bytes());
  }

  @Test
  void rowsAreInTheOrderOfTheIndex() {
    expected.put(Packages.record("b", "libs", 9, "x", "c", "a"));
    expected.put(Packages.record("c", "games", 9, "y", "a"));
    expected.put(Packages.record("d", "libs", 10, "x"));
    expected.put(Packages.record("a", "libs", 9, "z", "c"));
    ExpectedIndex composite = ExpectedIndex.of(IndexKind.COMPOSITE, expected);
    assertThat(keys(composite.rows())).containsExactly("c", "d", "a", "b");
    assertThat(keys(composite.withText("libs"))).containsExactly("d", "a", "b");
    IndexKind.Key nine = new IndexKind.Key("libs", 9);
    assertThat(keys(composite.between(nine, nine))).containsExactly("a", "b");
    assertThat(composite.mostFrequentText()).isEqualTo("libs");
    assertThat(keys(ExpectedIndex.of(IndexKind.NUMBER, expected).rows()))
        .containsExactly("a", "b", "c", "d");
    ExpectedIndex many = ExpectedIndex.of(IndexKind.MANY, expected);
    assertThat(keys(many.rows())).containsExactly("b", "c", "a", "b");
    assertThat(keys(many.withText("c"))).containsExactly("a", "b");
    assertThat(many.withText("b")).isEmpty();
    assertThat(expected.indexEntryCount(IndexKind.MANY)).isEqualTo(4);
    assertThat(expected.indexEntryCount(IndexKind.TEXT)).isEqualTo(4);
  }

  @Test
  void halvingFindsWhatAWalkFinds() {
    IntStream.range(0, 300).mapToObj(Packages::number).forEach(expected::put);
    ExpectedIndex index = ExpectedIndex.of(IndexKind.COMPOSITE, expected);
    IndexKind.Key from = new IndexKind.Key("section1", 50);
    IndexKind.Key through = new IndexKind.Key("section3", 20);
    assertThat(index.between(from, through))
        .isEqualTo(
            index.rows().stream()
                .filter(row -> IndexKind.COMPOSITE.order().compare(row.key(), from) >= 0)
                .filter(row -> IndexKind.COMPOSITE.order().compare(row.key(), through) <= 0)
                .toList())
        .isNotEmpty();
  }
}
