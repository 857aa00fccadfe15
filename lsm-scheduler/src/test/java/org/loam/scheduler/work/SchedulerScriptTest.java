package org.loam.scheduler.work;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;
import org.loam.scheduler.merge.Level;

/** How merge schedulers divide the turns among open merges. */
class SchedulerScriptTest {
  @TestFactory
  Stream<DynamicTest> scheduler() {
    return Script.tests("scheduler", () -> SchedulerScriptTest::interpret);
  }

  private static String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "fair" -> shares(new FairScheduler(), command);
      case "greedy" -> shares(new GreedyScheduler(command.number("threads", 1)), command);
      default -> throw command.unknown();
    };
  }

  /** A line for each merge, such as {@code a L0 left=100 pressure=0.5}. */
  private static String shares(MergeScheduler scheduler, Script.Command command) {
    List<String> names = new ArrayList<>();
    List<MergeScheduler.OpenMerge> merges = new ArrayList<>();
    for (String line : command.lines()) {
      List<String> words = List.of(line.split(" +"));
      var merge = new Script.Command(words.get(0), words.subList(1, words.size()), List.of());
      boolean fromL0 = words.contains("L0");
      names.add(merge.verb());
      merges.add(
          new MergeScheduler.OpenMerge(
              1,
              fromL0 ? Level.L0 : Level.LAST - 1,
              fromL0 ? IoClass.L0 : IoClass.MERGE,
              merge.number("left", 0),
              Double.parseDouble(merge.option("pressure", "0"))));
    }
    double[] shares = new double[merges.size()];
    scheduler.allocate(merges, shares);
    StringJoiner out = new StringJoiner(" ");
    for (int i = 0; i < shares.length; i++) {
      out.add(String.format(Locale.ROOT, "%s=%.3f", names.get(i), shares[i]));
    }
    return out.toString();
  }
}
