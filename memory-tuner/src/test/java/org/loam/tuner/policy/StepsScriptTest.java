package org.loam.tuner.policy;

import java.util.StringJoiner;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.config.Units;
import org.loam.common.script.Script;
import org.loam.common.script.Script.Command;
import org.loam.tuner.cost.SampleText;

/** How bounds shorten a step, and which of them it was. */
class StepsScriptTest {
  @TestFactory
  Stream<DynamicTest> steps() {
    return Script.tests("steps", () -> StepsScriptTest::interpret);
  }

  /** Each line is a wanted write memory. */
  private static String interpret(Command command) {
    if (!command.verb().equals("from")) {
      throw command.unknown();
    }
    long from = Units.parseBytes(command.options().get(0));
    Limits limits = PolicyText.limits(command);
    StringJoiner out = new StringJoiner("\n");
    for (String wanted : command.lines()) {
      Limits.Step step =
          limits.bound(
              SampleText.bytes(command, "total", "1000MiB"), from, Units.parseBytes(wanted));
      out.add(wanted + ": " + Units.formatBytes(step.toBytes()) + " " + step.rule());
    }
    return out.toString();
  }
}
