package org.loam.scheduler.merge;

import java.util.Locale;
import java.util.StringJoiner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.scheduler.merge.PartitionedLeveling.Selection;
import org.loam.scheduler.merge.PartitionedLeveling.Settings;
import org.loam.scheduler.script.Script;

/** Partitioned leveling on shapes drawn by hand. */
class PartitionedLevelingScriptTest {
  private ShapeText text;
  private TreeShape shape;

  @ParameterizedTest
  @ValueSource(strings = {"l0", "levels", "conflicts", "objections", "quiet"})
  void script(String name) {
    Script.run("merge/" + name + ".txt", this::interpret);
  }

  private String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "shape" -> shape(command);
      case "plan" -> plan(command);
      case "objection" -> objections(command);
      case "older" -> older(command);
      default -> throw new IllegalArgumentException(command.verb());
    };
  }

  private String shape(Script.Command command) {
    text = new ShapeText(Integer.parseInt(command.option("levels", "1")));
    shape = text.parse(command.lines(), Long.parseLong(command.option("memory", "10")));
    shape.check();
    return shape.runCount() + " runs";
  }

  /** Prints each plan; plans that must wait for a running one are marked. */
  private String plan(Script.Command command) {
    Settings settings =
        new Settings(
            Integer.parseInt(command.option("ratio", "10")),
            Integer.parseInt(command.option("min", "4")),
            Double.parseDouble(command.option("factor", "1.5")),
            Selection.valueOf(command.option("select", "CHOOSE_BEST")),
            Boolean.parseBoolean(command.option("quiet", "true")));
    RunMode mode = RunMode.valueOf(command.option("mode", "RUNNING"));
    StringJoiner out = new StringJoiner("\n");
    for (MergePlan plan : new PartitionedLeveling(settings).plan(shape, mode)) {
      boolean waits = shape.running().stream().anyMatch(plan::conflictsWith);
      out.add(
          String.format(
              Locale.ROOT,
              "%s score %.2f%s",
              text.text(plan),
              plan.score(),
              waits ? " waits" : ""));
    }
    return out.toString();
  }

  private String objections(Script.Command command) {
    StringJoiner out = new StringJoiner("\n");
    for (String line : command.lines()) {
      String objection = shape.objection(text.plan(line));
      out.add(objection == null ? "may start" : objection);
    }
    return out.toString();
  }

  private String older(Script.Command command) {
    StringJoiner out = new StringJoiner("\n");
    for (String line : command.lines()) {
      out.add(ShapeText.names(shape.olderThan(text.plan(line))));
    }
    return out.toString();
  }
}
