package org.loam.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.loam.scheduler.merge.Component;
import org.loam.scheduler.merge.KeyRange;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.MergePolicy;
import org.loam.scheduler.merge.PlanCheck;
import org.loam.scheduler.merge.RunMode;
import org.loam.scheduler.merge.TreeShape;

/** What a compaction merges within the last level: parts of it, and nothing else. */
class FullMergeTest {
  private static final int TREE = 1;
  private static final MergePolicy NO_OTHERS = (shape, mode) -> List.of();

  /** A table for each id, with keys of its own, in the order of the ids. */
  private static Component table(long id) {
    byte[] key = {(byte) id};
    return new Component(id, 100, new KeyRange(key, key));
  }

  private static TreeShape shape(List<MergePlan> running) {
    List<Component> last =
        LongStream.range(0, 60).mapToObj(FullMergeTest::table).collect(Collectors.toList());
    return TreeShape.of(
        TREE, List.of(), List.of(new Level(Level.LAST, last, new byte[0])), running, 1000);
  }

  private static List<MergePlan> plans(Set<Long> wanted, MergePolicy others) {
    return new FullMerge(wanted, others).plan(shape(List.of()), RunMode.RUNNING);
  }

  private static MergePlan within(long... ids) {
    List<Component> tables = LongStream.of(ids).mapToObj(FullMergeTest::table).toList();
    return MergePlan.of(TREE, tables, Level.LAST, Level.LAST, 1);
  }

  private static List<Long> ids(MergePlan plan) {
    return plan.inputs().stream().map(Component::id).toList();
  }

  @Test
  void aPartIsOfNeighboursAndAtMostSixteen() {
    assertThat(ids(only(plans(ids(3, 3), NO_OTHERS)))).containsExactly(3L);
    assertThat(ids(only(plans(Set.of(3L, 4L, 6L), NO_OTHERS)))).containsExactly(3L, 4L);
    MergePlan part = only(plans(ids(20, 59), NO_OTHERS));
    assertThat(ids(part)).containsExactlyElementsOf(LongStream.range(20, 36).boxed().toList());
    assertThat(PlanCheck.objection(shape(List.of()), part)).isNull();
  }

  @Test
  void aPartOfOneTableIsNoMove() {
    assertThat(only(plans(ids(3, 3), NO_OTHERS)).kind()).isEqualTo(MergePlan.Kind.MERGE);
  }

  /** The result may be one table, which would lie over what is left out. */
  @Test
  void aGapIsRefused() {
    assertThat(PlanCheck.objection(shape(List.of()), within(3, 4, 5))).isNull();
    assertThat(PlanCheck.objection(shape(List.of()), within(3, 5))).contains("component 4");
    TreeShape running = shape(List.of(within(3, 4, 5)));
    assertThat(PlanCheck.objection(running, within(5, 6))).contains("conflicts with running");
    assertThat(PlanCheck.objection(running, within(6, 7))).isNull();
  }

  @Test
  void onlyTheLastLevelHasMergesWithin() {
    MergePlan above = MergePlan.of(TREE, List.of(table(3)), Level.LAST - 1, Level.LAST - 1, 1);
    assertThat(PlanCheck.objection(shape(List.of()), above)).contains("it goes from level 30");
    MergePlan up = MergePlan.of(TREE, List.of(table(3)), Level.LAST, Level.LAST - 1, 1);
    assertThat(PlanCheck.objection(shape(List.of()), up)).contains("it goes from level 31");
  }

  /** None that would begin now keeps the part waiting, and the part comes first. */
  @Test
  void othersGoOnBesideThePart() {
    MergePlan meets = MergePlan.of(TREE, List.of(table(4)), Level.LAST - 1, Level.LAST, 7);
    MergePlan besides = MergePlan.of(TREE, List.of(table(5)), Level.LAST - 1, Level.LAST, 3);
    MergePlan above = MergePlan.of(TREE, List.of(table(4)), Level.L0, Level.LAST - 1, 2);
    List<MergePlan> plans =
        plans(ids(3, 4), (shape, mode) -> new ArrayList<>(List.of(meets, besides, above)));
    assertThat(ids(plans.get(0))).containsExactly(3L, 4L);
    assertThat(plans.get(0).score()).isEqualTo(7);
    assertThat(plans.subList(1, plans.size())).containsExactly(besides, above);
  }

  private static Set<Long> ids(long from, long to) {
    return LongStream.rangeClosed(from, to).boxed().collect(Collectors.toSet());
  }

  private static MergePlan only(List<MergePlan> plans) {
    assertThat(plans).hasSize(1);
    return plans.get(0);
  }
}
