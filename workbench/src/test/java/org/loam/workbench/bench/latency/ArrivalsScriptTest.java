package org.loam.workbench.bench.latency;

import java.util.Locale;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;

/** When operations arrive. */
class ArrivalsScriptTest {
  private Arrivals arrivals = new Arrivals(ArrivalPattern.CONSTANT, 1, 1);

  @TestFactory
  Stream<DynamicTest> arrivals() {
    return Script.tests("arrivals", () -> new ArrivalsScriptTest()::interpret);
  }

  private String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "pattern" -> pattern(command);
      case "due" -> due(command);
      case "each" -> each(command);
      case "round-trip" -> roundTrip(command.number("arrivals", 0));
      default -> throw command.unknown();
    };
  }

  private String pattern(Script.Command command) {
    arrivals =
        new Arrivals(
            ArrivalPattern.of(command.options().get(0)),
            command.number("rate", 1),
            command.number("period", 1));
    return "set";
  }

  private String due(Script.Command command) {
    StringJoiner out = new StringJoiner("\n");
    for (String index : command.lines()) {
      out.add(
          String.format(
              Locale.ROOT, "%s at %.6f s", index, arrivals.nanos(Long.parseLong(index)) / 1e9));
    }
    return out.toString();
  }

  /** How many arrive in each of some equal steps. */
  private String each(Script.Command command) {
    double step = Double.parseDouble(command.option("step", "1"));
    StringJoiner out = new StringJoiner(" ");
    for (int i = 0; i < command.number("steps", 1); i++) {
      out.add(Long.toString(arrivals.countBefore((i + 1) * step) - arrivals.countBefore(i * step)));
    }
    return out.toString();
  }

  /** Checks that times ascend, and that an arrival is counted from its time on, not before. */
  private String roundTrip(int count) {
    long previous = -1;
    for (long index = 0; index < count; index++) {
      long nanos = arrivals.nanos(index);
      if (nanos < previous) {
        return index + " comes before the one before it";
      }
      previous = nanos;
      long before = arrivals.countBefore((nanos - 1_000) / 1e9);
      long after = arrivals.countBefore((nanos + 1_000) / 1e9);
      if (before > index || after < index + 1) {
        return index + ": " + before + " before its time, " + after + " after it";
      }
    }
    return "all agree";
  }
}
