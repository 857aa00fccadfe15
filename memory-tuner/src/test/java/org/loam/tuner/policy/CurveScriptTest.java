package org.loam.tuner.policy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;
import org.loam.common.script.Script.Command;
import org.loam.tuner.cost.EngineLevels;
import org.loam.tuner.cost.Objective;
import org.loam.tuner.cost.SampleText;

/** The tuner that knows the cost of all splits, cycle by cycle. */
class CurveScriptTest {
  private static final Command PLAIN = new Command("policy", List.of(), List.of());

  private Objective objective = PolicyText.objective(PLAIN);
  private CurvePolicy policy = policy(PLAIN);

  @TestFactory
  Stream<DynamicTest> curve() {
    return Script.tests("curve", () -> new CurveScriptTest()::interpret);
  }

  private String interpret(Command command) {
    switch (command.verb()) {
      case "policy":
        policy = policy(command);
        objective = PolicyText.objective(command);
        return "";
      case "price":
        double misses = Double.parseDouble(command.option("misses", "1"));
        objective = PolicyText.priced(objective, misses);
        return "";
      case "sample":
        Decision decision = policy.decide(SampleText.parse(command), objective);
        return PolicyText.shown(decision) + PolicyText.outcome(decision);
      default:
        throw command.unknown();
    }
  }

  private static CurvePolicy policy(Command command) {
    Limits limits = PolicyText.limits(command).withDonor(0.5);
    return new CurvePolicy(limits, EngineLevels::sizes);
  }
}
