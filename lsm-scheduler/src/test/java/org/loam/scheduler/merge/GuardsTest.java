package org.loam.scheduler.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Guards are as fine as the data allows, and stay while it does not outgrow them. */
class GuardsTest {
  private static final Guards.Fineness FINENESS = new Guards.Fineness(100, 10);
  private static final long MUCH_MEMORY = 1_000;

  @Test
  void oneTableNeedsNone() {
    assertThat(keys(Guards.NONE.fitted(last(MUCH_MEMORY), FINENESS))).isEmpty();
    assertThat(keys(Guards.NONE.fitted(last(MUCH_MEMORY, 199), FINENESS))).isEmpty();
  }

  @Test
  void theyDivideTheBytesOfTheLastLevelEqually() {
    TreeShape equal = last(MUCH_MEMORY, 100, 100, 100, 100);
    assertThat(keys(Guards.NONE.fitted(equal, FINENESS))).isEqualTo("001 002 003");
    TreeShape uneven = last(MUCH_MEMORY, 20, 30, 50, 90, 10, 20, 80);
    assertThat(keys(Guards.NONE.fitted(uneven, FINENESS))).isEqualTo("003 005");
  }

  @Test
  void theyAreNoFinerThanFlushesAllow() {
    long[] twelve = new long[12];
    Arrays.fill(twelve, 100);
    assertThat(keys(Guards.NONE.fitted(last(40, twelve), FINENESS))).isEqualTo("003 006 009");
    assertThat(keys(Guards.NONE.fitted(last(19, twelve), FINENESS))).isEmpty();
  }

  @Test
  void thereAreAtMostFifteen() {
    long[] many = new long[64];
    Arrays.fill(many, 100);
    Guards guards = Guards.NONE.fitted(last(MUCH_MEMORY, many), FINENESS);
    assertThat(guards.keys()).hasSize(15);
    assertThat(keys(guards)).startsWith("004 008 012");
  }

  @Test
  void theyStayUntilAPartHasTwiceItsShare() {
    Guards guards = Guards.NONE.fitted(last(MUCH_MEMORY, 100, 100, 100, 100), FINENESS);
    assertThat(guards.fitted(last(MUCH_MEMORY, 130, 90, 110, 160), FINENESS)).isSameAs(guards);
    Guards finer = guards.fitted(last(MUCH_MEMORY, 100, 100, 100, 100, 100, 100), FINENESS);
    assertThat(keys(finer)).isEqualTo("001 002 003 004 005");
  }

  @Test
  void theyBecomeFewerWhenHalfOfTheDataIsGone() {
    long[] eight = {100, 100, 100, 100, 100, 100, 100, 100};
    Guards guards = Guards.NONE.fitted(last(MUCH_MEMORY, eight), FINENESS);
    assertThat(guards.keys()).hasSize(7);
    assertThat(guards.fitted(last(MUCH_MEMORY, 50, 50, 50, 50, 50, 50, 50, 50), FINENESS))
        .isSameAs(guards);
    Guards coarser = guards.fitted(last(MUCH_MEMORY, 40, 40, 40, 40, 40, 40, 40, 40), FINENESS);
    assertThat(keys(coarser)).isEqualTo("003 006");
  }

  @Test
  void aTableThatIsLargerThanItsShareIsNoReasonForOthers() {
    TreeShape shape = last(MUCH_MEMORY, 10, 700, 10, 80);
    Guards guards = Guards.NONE.fitted(shape, FINENESS);
    assertThat(keys(guards.fitted(shape, FINENESS))).isEqualTo(keys(guards));
  }

  /** Tables of the given sizes in the last level; table i has the keys i to i. */
  private static TreeShape last(long memoryBytes, long... sizes) {
    List<Component> components = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      byte[] key = String.format("%03d", i).getBytes(StandardCharsets.UTF_8);
      components.add(new Component(i, sizes[i], new KeyRange(key, key)));
    }
    Level last = new Level(Level.LAST, components, new byte[0]);
    return new TreeShape(1, List.of(), List.of(last), List.of(), memoryBytes);
  }

  private static String keys(Guards guards) {
    return guards.keys().stream()
        .map(k -> new String(k, StandardCharsets.UTF_8))
        .collect(Collectors.joining(" "));
  }
}
