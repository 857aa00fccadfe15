package org.loam.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

/**
 * What a compaction merges: parts of L0 and of each level in turn, as far down as few bytes go, and
 * then parts of the last level.
 */
class FullMergeTest {
  private static final int TREE = 1;
  private static final int MAX_INPUT_RUNS = 6;

  /** A part may have sixteen times as many. */
  private static final int MEMORY_BYTES = 100;

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
    return plans(shape(List.of()), wanted, others);
  }

  private static List<MergePlan> plans(TreeShape shape, Set<Long> wanted, MergePolicy others) {
    Map<Long, KeyRange> keys = new HashMap<>();
    shape.l0().forEach(group -> put(keys, group, wanted));
    shape.levels().forEach(level -> put(keys, level.components(), wanted));
    return new FullMerge(keys, others).plan(shape.readable(MAX_INPUT_RUNS), RunMode.RUNNING);
  }

  private static void put(Map<Long, KeyRange> keys, List<Component> components, Set<Long> wanted) {
    for (Component component : components) {
      if (wanted.contains(component.id())) {
        keys.put(component.id(), component.range());
      }
    }
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

  // ---- Above the last level.

  private static Component table(long id, int from, int to, long bytes) {
    return new Component(id, bytes, new KeyRange(new byte[] {(byte) from}, new byte[] {(byte) to}));
  }

  private static Level level(int id, Component... components) {
    return new Level(id, List.of(components), new byte[0]);
  }

  private static TreeShape tree(List<List<Component>> l0, Level... levels) {
    return TreeShape.of(TREE, l0, List.of(levels), List.of(), MEMORY_BYTES);
  }

  /** The only plan that a compaction of all components has. */
  private static MergePlan partOf(TreeShape shape) {
    return partOf(shape, ids(0, 200));
  }

  private static MergePlan partOf(TreeShape shape, Set<Long> wanted) {
    MergePlan part = only(plans(shape, wanted, NO_OTHERS));
    assertThat(PlanCheck.objection(shape, part)).isNull();
    return part;
  }

  private static void check(MergePlan plan, int from, int target, Long... inputs) {
    assertThat(ids(plan)).containsExactly(inputs);
    assertThat(plan.fromLevel()).isEqualTo(from);
    assertThat(plan.targetLevel()).isEqualTo(target);
  }

  @Test
  void aSmallTreeIsMergedAtOnce() {
    TreeShape shape =
        tree(
            List.of(List.of(table(1, 0, 50, 100)), List.of(table(2, 20, 90, 100))),
            level(30, table(3, 10, 99, 300)),
            level(Level.LAST, table(4, 0, 60, 500), table(5, 61, 80, 600)));
    check(partOf(shape), Level.L0, Level.LAST, 1L, 2L, 3L, 4L, 5L);
  }

  /** The groups, and the first level: with the second one it would have too many bytes. */
  @Test
  void aPartOfALargeTreeGoesAsFarAsFewBytesGo() {
    TreeShape shape =
        tree(
            List.of(List.of(table(1, 0, 50, 100)), List.of(table(2, 20, 90, 100))),
            level(28, table(3, 10, 99, 800)),
            level(29, table(4, 0, 99, 700)),
            level(Level.LAST, table(5, 0, 99, 9000)));
    check(partOf(shape), Level.L0, 28, 1L, 2L, 3L);
  }

  @Test
  void aPartGoesToTheNextLevelHoweverManyBytesThatTakes() {
    TreeShape shape =
        tree(
            List.of(List.of(table(1, 0, 50, 100))),
            level(28, table(2, 10, 99, 8000)),
            level(Level.LAST, table(3, 0, 99, 9000)));
    check(partOf(shape), Level.L0, 28, 1L, 2L);
  }

  /** From there on it keeps no merge out of L0 waiting. */
  @Test
  void whatNeedsALargeMergeWithTheLastLevelIsFirstMovedAboveIt() {
    TreeShape shape =
        tree(List.of(), level(28, table(2, 10, 99, 50)), level(Level.LAST, table(3, 0, 99, 9000)));
    MergePlan part = partOf(shape);
    check(part, 28, 30, 2L);
    assertThat(part.kind()).isEqualTo(MergePlan.Kind.MOVE);
    TreeShape moved =
        tree(List.of(), level(30, table(2, 10, 99, 50)), level(Level.LAST, table(3, 0, 99, 9000)));
    check(partOf(moved), 30, Level.LAST, 2L, 3L);
  }

  @Test
  void theNewestLevelComesFirstAndItsFirstKey() {
    Level last = level(Level.LAST, table(9, 0, 99, 9000));
    Component a = table(3, 10, 19, 2000);
    Component b = table(4, 20, 29, 2000);
    Component c = table(5, 0, 99, 2000);
    TreeShape shape = tree(List.of(), level(28, a, b), level(29, c), last);
    check(partOf(shape, Set.of(4L, 5L)), 28, 29, 4L, 5L);
    check(partOf(shape, Set.of(3L, 4L, 5L)), 28, 29, 3L, 5L);
    check(partOf(shape, Set.of(5L)), 29, 30, 5L);
  }

  /** Of tables of L0 that begin at one key the newest takes all along; what comes later stays. */
  @Test
  void aPartOfL0HasWhatMeetsItsFirstKey() {
    TreeShape shape =
        tree(
            List.of(
                List.of(table(1, 50, 60, 900)),
                List.of(table(2, 10, 20, 900)),
                List.of(table(3, 10, 30, 900))),
            level(29, table(4, 0, 99, 2000)),
            level(Level.LAST, table(5, 0, 99, 9000)));
    check(partOf(shape), Level.L0, 29, 2L, 3L, 4L);
    check(partOf(shape, Set.of(1L)), Level.L0, 29, 1L, 4L);
  }

  /** Another merge put it together with entries of other keys: these need not go down. */
  @Test
  void theFirstKeyIsOneThatIsWanted() {
    Component wide = table(1, 0, 40, 2000);
    Component narrow = table(2, 20, 60, 2000);
    TreeShape shape =
        tree(
            List.of(List.of(narrow), List.of(wide)),
            level(29, table(3, 61, 99, 2000)),
            level(Level.LAST, table(4, 0, 99, 9000)));
    Map<Long, KeyRange> wanted =
        Map.of(1L, table(0, 30, 40, 0).range(), 2L, table(0, 25, 60, 0).range());
    MergePlan part = only(new FullMerge(wanted, NO_OTHERS).plan(shape, RunMode.RUNNING));
    check(part, Level.L0, 29, 2L, 1L);
  }

  /** Each of them would need a merge with the same table. */
  @Test
  void whatElseLiesAboveTheSameKeysGoesAlong() {
    TreeShape shape =
        tree(
            List.of(List.of(table(1, 1, 2, 10), table(2, 3, 4, 10), table(3, 80, 81, 10))),
            level(Level.LAST, table(4, 0, 50, 700), table(5, 51, 99, 900)));
    check(partOf(shape), Level.L0, Level.LAST, 1L, 2L, 4L);
  }

  /** Nothing else would merge them; what lies between them in the last level stays. */
  @Test
  void smallTablesThatGoToTheLastLevelAreMergedWithTheirNeighbours() {
    Component a = table(1, 1, 2, 10);
    Component b = table(2, 11, 12, 10);
    Component c = table(3, 31, 32, 10);
    Level last = level(Level.LAST, table(4, 20, 25, 10), table(5, 30, 99, 10));
    TreeShape shape = tree(List.of(List.of(a, b, c)), last);
    check(partOf(shape), Level.L0, Level.LAST, 1L, 2L);
    check(partOf(shape, Set.of(1L)), Level.L0, Level.LAST, 1L);
    check(partOf(shape, Set.of(1L, 3L)), Level.L0, Level.LAST, 1L);
    check(partOf(shape, Set.of(2L, 3L)), Level.L0, Level.LAST, 2L);
    check(partOf(tree(List.of(), level(29, a, b, c), last)), 29, Level.LAST, 1L, 2L);
  }

  @Test
  void aPartHasNoMoreInputsThanAMergeReads() {
    List<Level> levels = new ArrayList<>();
    for (int id = 20; id <= Level.LAST; id++) {
      levels.add(level(id, table(id, 0, 99, 1)));
    }
    TreeShape shape = tree(List.of(List.of(table(1, 0, 99, 1))), levels.toArray(Level[]::new));
    check(partOf(shape), Level.L0, 24, 1L, 20L, 21L, 22L, 23L, 24L);
    shape = tree(List.of(), levels.toArray(Level[]::new));
    check(partOf(shape), 20, 25, 20L, 21L, 22L, 23L, 24L, 25L);
  }

  @Test
  void theLastLevelComesLast() {
    TreeShape shape =
        tree(
            List.of(),
            level(30, table(1, 60, 70, 2000)),
            level(Level.LAST, table(2, 0, 40, 10), table(3, 50, 99, 10)));
    check(partOf(shape, ids(1, 3)), 30, Level.LAST, 1L, 3L);
    check(partOf(shape, ids(2, 3)), Level.LAST, Level.LAST, 2L, 3L);
  }

  @Test
  void othersGoOnBesideAPartAboveTheLastLevel() {
    MergePlan meets = MergePlan.of(TREE, List.of(table(7, 15, 16, 1)), 27, 29, 7);
    MergePlan besides = MergePlan.of(TREE, List.of(table(8, 50, 60, 1)), 27, 29, 3);
    MergePlan above = MergePlan.of(TREE, List.of(table(6, 0, 99, 1)), Level.L0, 27, 2);
    TreeShape shape =
        tree(
            List.of(),
            level(28, table(1, 10, 20, 2000)),
            level(29, table(2, 0, 30, 2000)),
            level(Level.LAST, table(3, 0, 99, 9000)));
    MergePolicy others = (seen, mode) -> new ArrayList<>(List.of(meets, besides, above));
    List<MergePlan> plans = plans(shape, ids(1, 3), others);
    check(plans.get(0), 28, 29, 1L, 2L);
    assertThat(plans.get(0).score()).isEqualTo(7);
    assertThat(plans.subList(1, plans.size())).containsExactly(besides, above);
  }

  /** In the order of scores, which the planner makes, they are first, too. */
  @Test
  void mergesOutOfL0ComeFirstWhileWritersAreStopped() {
    MergePlan meets = MergePlan.of(TREE, List.of(table(7, 15, 16, 1)), Level.L0, 28, 4);
    MergePlan below = MergePlan.of(TREE, List.of(table(8, 15, 16, 1)), 28, 29, 7);
    TreeShape shape =
        tree(
                List.of(),
                level(28, table(1, 10, 20, 2000)),
                level(29, table(2, 0, 30, 2000)),
                level(Level.LAST, table(3, 0, 99, 9000)))
            .withWritersStopped();
    MergePolicy others = (seen, mode) -> new ArrayList<>(List.of(below, meets));
    List<MergePlan> plans = plans(shape, ids(1, 3), others);
    assertThat(plans).hasSize(2);
    assertThat(plans.get(0)).isEqualTo(meets);
    check(plans.get(1), 28, 29, 1L, 2L);
    assertThat(plans.get(1).score()).isEqualTo(4);
  }

  private static Set<Long> ids(long from, long to) {
    return LongStream.rangeClosed(from, to).boxed().collect(Collectors.toSet());
  }

  private static MergePlan only(List<MergePlan> plans) {
    assertThat(plans).hasSize(1);
    return plans.get(0);
  }
}
