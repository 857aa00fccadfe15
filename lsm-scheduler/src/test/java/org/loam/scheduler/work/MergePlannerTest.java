package org.loam.scheduler.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.MergePolicy;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.merge.RunMode;
import org.loam.scheduler.merge.ShapeText;
import org.loam.scheduler.merge.TreeShape;

/** How often the planner asks a policy: a tree that has not changed has the answer of before. */
class MergePlannerTest {
  private static final int MEMORY = 10;
  private static final ComponentConstraint NEVER_STOPS = ComponentConstraint.l0Stop(100);
  private static final ComponentConstraint STOPS = ComponentConstraint.l0Stop(1);
  private static final String NEWEST = "L0: c5[a..z] 10";
  private static final String MIDDLE = "L0: c4[a..z] 10";
  private static final String OLDEST = "L0: c3[a..z] 10";
  private static final String LEVEL = "L1: c2[a..k] 60, c1[l..z] 60 | c";

  /** A tree that is only looked at. */
  private record Drawn(TreeShape shape, MergePolicy mergePolicy, ComponentConstraint constraint)
      implements MergeTree {
    @Override
    public @Nullable BackgroundOperation open(MergePlan plan) {
      return null;
    }
  }

  /** Notes what it is asked for. */
  private static final class Asked implements MergePolicy {
    private final MergePolicy usual = new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT);
    private final List<TreeShape> shapes = new ArrayList<>();

    @Override
    public List<MergePlan> plan(TreeShape shape, RunMode mode) {
      shapes.add(shape);
      return usual.plan(shape, mode);
    }
  }

  private final MergePlanner planner = new MergePlanner();
  private final Asked policy = new Asked();

  private static TreeShape shape(String... lines) {
    return new ShapeText(1).parse(1, List.of(lines), MEMORY);
  }

  private static TreeShape usual() {
    return shape(MIDDLE, OLDEST, LEVEL);
  }

  private MergePlanner.Survey survey(
      TreeShape shape, ComponentConstraint constraint, List<MergePlan> resting, RunMode mode) {
    return planner.survey(List.of(new Drawn(shape, policy, constraint)), resting, mode);
  }

  private MergePlanner.Survey survey(TreeShape shape) {
    return survey(shape, NEVER_STOPS, List.of(), RunMode.RUNNING);
  }

  @BeforeEach
  void askOnce() {
    survey(usual());
    assertThat(policy.shapes).hasSize(1);
  }

  @Test
  void aTreeThatHasNotChangedHasTheAnswerOfBefore() {
    MergePlanner.Survey first = survey(shape(NEWEST, MIDDLE, OLDEST, LEVEL));
    MergePlanner.Survey second = survey(shape(NEWEST, MIDDLE, OLDEST, LEVEL));
    assertThat(policy.shapes).hasSize(2);
    assertThat(second.candidates().stream().map(MergePlanner.Candidate::plan))
        .containsExactlyElementsOf(
            first.candidates().stream().map(MergePlanner.Candidate::plan).toList());
  }

  private static List<TreeShape> changed() {
    return List.of(
        shape(NEWEST, MIDDLE, OLDEST, LEVEL),
        shape(OLDEST, LEVEL),
        shape(MIDDLE, OLDEST, "L1: c2[a..k] 60, c1[l..z] 60 | d"),
        shape(MIDDLE, OLDEST, "L1: c2[a..k] 60 | c"),
        shape(MIDDLE, OLDEST, LEVEL, "running: c4 c3 c2 c1 L0 to L1"),
        new ShapeText(1).parse(1, List.of(MIDDLE, OLDEST, LEVEL), MEMORY + 1),
        usual().withLately(new TreeShape.Lately(2, Double.POSITIVE_INFINITY)),
        usual().withLately(new TreeShape.Lately(0, 1)),
        usual().readable(8));
  }

  @ParameterizedTest
  @MethodSource("changed")
  void aTreeThatHasChangedIsLookedAt(TreeShape changed) {
    survey(changed);
    survey(changed);
    assertThat(policy.shapes).hasSize(2).endsWith(changed);
  }

  @Test
  void whatElseThePlanDependsOnCounts() {
    MergePlan plan = MergePlan.of(1, usual().l0().get(1), 0, 31, 1);
    survey(usual(), NEVER_STOPS, List.of(), RunMode.QUIET);
    survey(usual(), STOPS, List.of(), RunMode.QUIET);
    survey(usual(), NEVER_STOPS, List.of(plan), RunMode.QUIET);
    assertThat(policy.shapes).hasSize(4);
    Asked other = new Asked();
    planner.survey(List.of(new Drawn(usual(), other, NEVER_STOPS)), List.of(plan), RunMode.QUIET);
    assertThat(other.shapes).hasSize(1);
  }

  @Test
  void aTreeThatWasAwayIsLookedAt() {
    planner.survey(List.of(), List.of(), RunMode.RUNNING);
    survey(usual());
    assertThat(policy.shapes).hasSize(2);
  }
}
