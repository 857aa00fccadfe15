package org.loam.tuner;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.config.TunerMode;
import org.loam.common.config.Units;
import org.loam.common.script.Script;
import org.loam.common.script.Script.Command;
import org.loam.tuner.cost.CostModel;
import org.loam.tuner.cost.EngineLevels;
import org.loam.tuner.cost.SampleText;
import org.loam.tuner.cost.Weights;

/** Which options a tuner refuses, and in which words; and what the defaults are. */
class OptionsScriptTest {
  @TestFactory
  Stream<DynamicTest> options() {
    return Script.tests("options", () -> OptionsScriptTest::interpret);
  }

  private static String interpret(Command command) {
    long total = SampleText.bytes(command, "total", "1GiB");
    return switch (command.verb()) {
      case "tuner" -> tuner(command, Long.parseLong(command.option("bytes", "" + total)));
      case "defaults" -> defaults(total);
      default -> throw command.unknown();
    };
  }

  private static String tuner(Command command, long total) {
    try {
      TunerOptions options =
          new TunerOptions(
              TunerMode.valueOf(command.option("mode", "ADAPTIVE")),
              PolicyKind.valueOf(command.option("policy", "CURVE")),
              CostModel.Unit.PAGES,
              new TunerOptions.Bounds(
                  SampleText.bytes(command, "least-write", "16MiB"),
                  SampleText.bytes(command, "least-cache", "50MiB")),
              new Weights(
                  Double.parseDouble(command.option("writes", "1")),
                  Double.parseDouble(command.option("reads", "1"))),
              new TunerOptions.Cycle(
                  SampleText.bytes(command, "log", "1GiB"),
                  Units.parseNanos(command.option("time", "10min"))));
      new Tuner(options, total, CostModel.pages(16 << 10), EngineLevels::sizes);
      return "accepted";
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  private static String defaults(long total) {
    TunerOptions options = TunerOptions.defaults(total, 1L << 30);
    return String.join(
        "\n",
        options.mode() + " " + options.policy(),
        "write memory from " + Units.formatBytes(options.bounds().leastWriteBytes()),
        "buffer cache from " + Units.formatBytes(options.bounds().leastCacheBytes()),
        "shortest step " + Units.formatBytes(TunerOptions.shortestStepBytes(total)),
        "ghost cache for " + Units.formatBytes(TunerOptions.ghostBytes(total)),
        "cycle " + Units.formatBytes(options.cycle().bytes()),
        "problems " + options.problems(total));
  }
}
