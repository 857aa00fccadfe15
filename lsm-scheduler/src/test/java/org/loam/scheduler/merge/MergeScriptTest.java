package org.loam.scheduler.merge;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;
import org.loam.scheduler.merge.PartitionedLeveling.Selection;
import org.loam.scheduler.merge.PartitionedLeveling.Settings;

/** Partitioned leveling, and the check of its plans, on shapes drawn by hand. */
class MergeScriptTest {
  private ShapeText text = new ShapeText(1);
  private TreeShape shape = text.parse(1, List.of(), 1);

  @TestFactory
  Stream<DynamicTest> merge() {
    return Script.tests("merge", () -> new MergeScriptTest()::interpret);
  }

  private String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "shape" -> shape(command);
      case "plan" -> plan(command);
      case "objection" -> objections(command);
      case "older" -> older(command);
      case "depths" -> depths();
      case "groups" -> groups();
      case "targets" -> targets();
      case "merged" -> merged(command);
      default -> throw command.unknown();
    };
  }

  private String shape(Script.Command command) {
    text = new ShapeText(command.number("levels", 1));
    shape =
        text.parse(1, command.lines(), command.number("memory", 10))
            .withLately(
                new TreeShape.Lately(
                    command.number("merged", 0),
                    Double.parseDouble(command.option("flushedPerScan", "Infinity"))));
    shape.check();
    shape = shape.readable(command.number("runs", Integer.MAX_VALUE));
    return "L0 is " + shape.l0Depth() + " deep";
  }

  /** Prints each plan; plans that must wait for a running one are marked. */
  private String plan(Script.Command command) {
    Settings settings =
        new Settings(
            command.number("ratio", 10),
            command.number("min", 4),
            command.number("max", command.number("min", 4)),
            Double.parseDouble(command.option("factor", "1.5")),
            Selection.valueOf(command.option("select", "CHOOSE_BEST")),
            Boolean.parseBoolean(command.option("quiet", "true")),
            Boolean.parseBoolean(command.option("elastic", "true")));
    RunMode mode = RunMode.valueOf(command.option("mode", "RUNNING"));
    StringJoiner out = new StringJoiner("\n");
    for (MergePlan plan : new PartitionedLeveling(settings).plan(shape, mode)) {
      boolean waits = shape.running().stream().anyMatch(plan::conflictsWith);
      out.add(
          String.format(
              Locale.ROOT,
              "%s score %.2f%s%s",
              text.text(plan),
              plan.score(),
              plan.relievesL0() && plan.fromLevel() != Level.L0 ? ", L0 waits" : "",
              waits ? " waits" : ""));
    }
    return out.toString();
  }

  /** What levels have, and what they should have if they have a target. */
  private String targets() {
    LevelTargets targets = new PartitionedLeveling(Settings.DEFAULT).targets(shape);
    StringJoiner out = new StringJoiner("\n");
    for (Level level : shape.levels()) {
      String should =
          targets.has(level.id()) ? String.format(" of %.0f", targets.bytes(level.id())) : "";
      out.add(text.name(level) + " has " + Component.bytes(level.components()) + should);
    }
    return out.toString();
  }

  /** How deep L0 is where it is merged, by merges that begin one after the other. */
  private String merged(Script.Command command) {
    MergedDepth depth = new MergedDepth();
    command.lines().forEach(line -> depth.add(shape, text.plan(line)));
    return String.format(Locale.ROOT, "%.2f", depth.mean());
  }

  private String objections(Script.Command command) {
    StringJoiner out = new StringJoiner("\n");
    for (String line : command.lines()) {
      String objection = PlanCheck.objection(shape, text.plan(line));
      out.add(objection == null ? "may start" : objection);
    }
    return out.toString();
  }

  /** Where L0 is deeper than beside it. */
  private String depths() {
    StringJoiner out = new StringJoiner("\n");
    for (Depths.Peak peak : Depths.peaks(shape.l0())) {
      out.add(peak.depth() + " at " + ShapeText.text(peak.range()));
    }
    return out.toString();
  }

  /** The fewest groups that do, newest first. */
  private String groups() {
    List<Component> oldestFirst = new ArrayList<>();
    for (List<Component> group : shape.l0()) {
      oldestFirst.addAll(0, group);
    }
    StringJoiner out = new StringJoiner("\n");
    for (List<Component> group : Depths.groups(oldestFirst)) {
      out.add(ShapeText.names(group));
    }
    return out.toString();
  }

  private String older(Script.Command command) {
    StringJoiner out = new StringJoiner("\n");
    for (String line : command.lines()) {
      String names = ShapeText.names(shape.olderThan(text.plan(line)));
      out.add(names.isEmpty() ? "none" : names);
    }
    return out.toString();
  }
}
