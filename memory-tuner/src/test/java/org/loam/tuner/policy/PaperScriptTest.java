package org.loam.tuner.policy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;
import org.loam.common.script.Script.Command;
import org.loam.tuner.cost.Objective;
import org.loam.tuner.cost.SampleText;

/** The tuner of the paper, cycle by cycle. */
class PaperScriptTest {
  private static final Command PLAIN = new Command("policy", List.of(), List.of());

  private Objective objective = PolicyText.objective(PLAIN);
  private PaperPolicy policy = policy(PLAIN);

  @TestFactory
  Stream<DynamicTest> paper() {
    return Script.tests("paper", () -> new PaperScriptTest()::interpret);
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
        return PolicyText.shown(decision)
            + "\ncost' "
            + SampleText.shown(decision.evidence().numbers().getOrDefault("costSlope", 0.0))
            + ", A "
            + SampleText.shown(decision.evidence().numbers().getOrDefault("lineSlope", 0.0))
            + PolicyText.outcome(decision);
      default:
        throw command.unknown();
    }
  }

  private static PaperPolicy policy(Command command) {
    return new PaperPolicy(PolicyText.limits(command), command.number("hits", 0));
  }
}
