package org.loam.scheduler.work;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.MergePolicy;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.merge.RunMode;
import org.loam.scheduler.merge.ShapeText;
import org.loam.scheduler.merge.TreeShape;

/** The planner on several trees: which merge is opened next, and which running one is hurried. */
class PlannerScriptTest {
  private static final MergePolicy POLICY =
      new PartitionedLeveling(
          new PartitionedLeveling.Settings(
              10, 4, 4, 1.5, PartitionedLeveling.Selection.CHOOSE_BEST, true, true));

  /** A tree that is only looked at. */
  private record Drawn(TreeShape shape, ShapeText text, ComponentConstraint constraint)
      implements MergeTree {
    @Override
    public MergePolicy mergePolicy() {
      return POLICY;
    }

    @Override
    public @Nullable BackgroundOperation open(MergePlan plan) {
      return null;
    }

    String name(MergePlan plan) {
      return "tree " + shape.treeId() + ": " + text.text(plan);
    }
  }

  /** One for all surveys of a script: trees change between them. */
  private final MergePlanner planner = new MergePlanner();

  private final Map<Integer, Drawn> trees = new HashMap<>();
  private final List<MergePlan> resting = new ArrayList<>();

  @TestFactory
  Stream<DynamicTest> planner() {
    return Script.tests("planner", () -> new PlannerScriptTest()::interpret);
  }

  private String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "tree" -> tree(command);
      case "rest" -> rest(command);
      case "survey" -> survey(RunMode.valueOf(command.option("mode", "RUNNING")));
      default -> throw command.unknown();
    };
  }

  /** A tree of a shape; says what its writers wait for. */
  private String tree(Script.Command command) {
    int id = Integer.parseInt(command.options().get(0));
    ShapeText text = new ShapeText(command.number("levels", 1));
    TreeShape shape = text.parse(id, command.lines(), command.number("memory", 10));
    shape.check();
    ComponentConstraint constraint = ConstraintText.parse(command);
    trees.put(id, new Drawn(shape, text, constraint));
    StallCause violation = constraint.violation(shape);
    return violation == null ? "takes writes" : "stalls: " + violation;
  }

  private String rest(Script.Command command) {
    Drawn tree = trees.get(Integer.parseInt(command.options().get(0)));
    resting.clear();
    command.lines().forEach(line -> resting.add(tree.text().plan(line)));
    return resting.size() + " plans rest";
  }

  /** What may start, the most urgent first; then running merges that something waits for. */
  private String survey(RunMode mode) {
    List<Drawn> all = trees.keySet().stream().sorted().map(trees::get).toList();
    MergePlanner.Survey survey = planner.survey(all, resting, mode);
    StringJoiner out = new StringJoiner("\n");
    for (MergePlanner.Candidate candidate : survey.candidates()) {
      out.add(
          String.format(
              Locale.ROOT,
              "%s score %.2f, %s",
              ((Drawn) candidate.tree()).name(candidate.plan()),
              candidate.plan().score(),
              candidate.ioClass()));
    }
    for (MergePlanner.Urgency urgency : survey.urgencies()) {
      Drawn tree = trees.get(urgency.plan().treeId());
      out.add("running, as urgent as " + urgency.ioClass() + ": " + tree.name(urgency.plan()));
    }
    return out.toString();
  }
}
