package org.loam.scheduler.work;

import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.config.Units;
import org.loam.common.script.Script;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.ShapeText;

/** How long work rests after a fault, and which work that is. */
class RestScriptTest {
  private Backoff all = new Backoff(1, 1);
  private Quarantine quarantine = new Quarantine(1);
  private ShapeText text = new ShapeText(1);

  @TestFactory
  Stream<DynamicTest> rests() {
    return Script.tests("rests", () -> new RestScriptTest()::interpret);
  }

  private String interpret(Script.Command command) {
    long now = Units.parseNanos(command.option("at", "0s"));
    return switch (command.verb()) {
      case "rests" -> settings(command);
      case "shape" -> shape(command);
      case "full" -> "all merges rest for " + Units.formatNanos(all.begin(now));
      case "room" -> room(now);
      case "resting" -> resting(now);
      case "damaged" -> damaged(command, now);
      case "succeeded" -> succeeded(command);
      default -> throw command.unknown();
    };
  }

  private String settings(Script.Command command) {
    long min = Units.parseNanos(command.option("min", "100ms"));
    long max = Units.parseNanos(command.option("max", "30s"));
    all = new Backoff(min, max);
    quarantine = new Quarantine(min);
    return "from " + Units.formatNanos(min) + " to " + Units.formatNanos(max);
  }

  private String shape(Script.Command command) {
    text = new ShapeText(command.number("levels", 1));
    return "L0 is " + text.parse(1, command.lines(), 10).l0Depth() + " deep";
  }

  private String room(long now) {
    all.clear();
    return resting(now);
  }

  private String resting(long now) {
    StringJoiner out = new StringJoiner("\n");
    if (all.isResting(now)) {
      out.add("all merges, for " + Units.formatNanos(all.leftNanos(now)));
    }
    List<MergePlan> plans = quarantine.resting(now);
    plans.forEach(plan -> out.add(text.text(plan)));
    if (!plans.isEmpty()) {
      out.add("the first for " + Units.formatNanos(quarantine.firstEndNanos(now) - now));
    }
    return out.toString();
  }

  private String damaged(Script.Command command, long now) {
    StringJoiner out = new StringJoiner("\n");
    for (String line : command.lines()) {
      out.add("rests for " + Units.formatNanos(quarantine.begin(text.plan(line), now)));
    }
    return out.toString();
  }

  private String succeeded(Script.Command command) {
    command.lines().forEach(line -> quarantine.succeeded(text.plan(line)));
    return resting(Units.parseNanos(command.option("at", "0s")));
  }
}
