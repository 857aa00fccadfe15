package org.loam.workbench.bench.latency;

import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;

/** What a maximum is worth. */
@Tag("once")
class DebtNeutralScriptTest {
  @TestFactory
  Stream<DynamicTest> debt() {
    return Script.tests("debt", () -> command -> interpret(command));
  }

  private static String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "owed" ->
          DebtNeutral.isNeutral(command.number("start", 0), command.number("end", 0))
              ? "neutral"
              : "to be paid";
      case "maximum" ->
          String.format(
              Locale.ROOT,
              "%.1f operations/s",
              DebtNeutral.maximum(
                  command.number("operations", 0),
                  command.number("seconds", 1),
                  command.number("pay", 0)));
      default -> throw command.unknown();
    };
  }
}
