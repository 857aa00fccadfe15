package org.loam.tuner;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.config.TunerMode;
import org.loam.common.config.Units;
import org.loam.common.script.Script;
import org.loam.common.script.Script.Command;
import org.loam.tuner.cost.CostModel;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.EngineLevels;
import org.loam.tuner.cost.SampleText;
import org.loam.tuner.policy.Decision;
import org.loam.tuner.policy.PolicyText;

/** What is decided whichever policy is asked, cycle by cycle. */
class TunerScriptTest {
  private static final long TOTAL = 1 << 30;

  private Tuner tuner =
      new Tuner(
          options(new Command("tuner", List.of(), List.of())),
          TOTAL,
          CostModel.pages(16 << 10),
          EngineLevels::sizes);

  @TestFactory
  Stream<DynamicTest> tuner() {
    return Script.tests("tuner", () -> new TunerScriptTest()::interpret);
  }

  private String interpret(Command command) {
    switch (command.verb()) {
      case "tuner":
        tuner = new Tuner(options(command), TOTAL, CostModel.pages(16 << 10), EngineLevels::sizes);
        return "";
      case "configure":
        tuner.configure(options(command));
        return "";
      case "sample":
        CycleSample sample = SampleText.parse(command);
        long own = sample.memory().writeBytes();
        String target = command.option("target", "");
        Decision decision =
            tuner.endCycle(sample, target.isEmpty() ? own : Units.parseBytes(target));
        return PolicyText.shown(decision) + PolicyText.outcome(decision);
      default:
        throw command.unknown();
    }
  }

  /** With costs in pages. */
  private static TunerOptions options(Command command) {
    TunerOptions plain = TunerOptions.defaults(TOTAL, TOTAL);
    return new TunerOptions(
        TunerMode.valueOf(command.option("mode", "ADAPTIVE")),
        PolicyKind.valueOf(command.option("policy", "CURVE")),
        CostModel.Unit.PAGES,
        new TunerOptions.Bounds(
            SampleText.bytes(command, "least-write", "16MiB"),
            SampleText.bytes(command, "least-cache", "16MiB")),
        plain.weights(),
        plain.cycle());
  }
}
