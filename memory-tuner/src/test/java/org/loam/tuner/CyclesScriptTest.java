package org.loam.tuner;

import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.config.Units;
import org.loam.common.script.Script;
import org.loam.common.script.Script.Command;
import org.loam.tuner.cost.SampleText;

/** When a cycle ends. */
class CyclesScriptTest {
  @TestFactory
  Stream<DynamicTest> cycles() {
    return Script.tests("cycles", () -> CyclesScriptTest::interpret);
  }

  /** Looks in lines such as {@code 5s log=100MiB read=20MiB}. */
  private static String interpret(Command command) {
    if (!command.verb().equals("looks")) {
      throw command.unknown();
    }
    long origin = Long.parseLong(command.option("origin", "0"));
    CycleTimer timer = new CycleTimer(new CycleTimer.Progress(0, 0), origin);
    StringJoiner out = new StringJoiner("\n");
    for (String line : command.lines()) {
      List<String> words = List.of(line.split(" +", -1));
      Command look = new Command(words.get(0), words.subList(1, words.size()), List.of());
      long now = origin + Units.parseNanos(look.verb());
      CycleTimer.Progress progress =
          new CycleTimer.Progress(
              SampleText.bytes(look, "log", "0"), SampleText.bytes(look, "read", "0"));
      boolean due =
          timer.isDue(
              progress,
              now,
              SampleText.bytes(command, "bytes", "1GiB"),
              Units.parseNanos(command.option("time", "10min")));
      out.add(look.verb() + ": " + (due ? "a cycle ends" : "goes on"));
      if (due) {
        timer.restart(progress, now);
      }
    }
    return out.toString();
  }
}
