package org.loam.tuner.policy;

import java.util.Locale;
import org.loam.common.script.Script.Command;
import org.loam.tuner.cost.CostModel;
import org.loam.tuner.cost.Objective;
import org.loam.tuner.cost.SampleText;
import org.loam.tuner.cost.Weights;

/** Limits and decisions as scripts write them. */
public final class PolicyText {
  private PolicyText() {}

  static Limits limits(Command command) {
    return new Limits(
        SampleText.bytes(command, "least-write", "1MiB"),
        SampleText.bytes(command, "least-cache", "1MiB"),
        SampleText.bytes(command, "shortest", "1MiB"),
        Double.parseDouble(command.option("donor", "0.1")),
        Double.parseDouble(command.option("gain", "0.001")));
  }

  /** In pages of 16 KiB. */
  static Objective objective(Command command) {
    return new Objective(
        CostModel.pages(16 << 10),
        new Weights(
            Double.parseDouble(command.option("writes", "1")),
            Double.parseDouble(command.option("reads", "1"))));
  }

  /** The same with misses that cost so many times as much. */
  static Objective priced(Objective objective, double misses) {
    CostModel model = objective.model();
    return new Objective(
        new CostModel(
            model.unit(),
            model.misses().times(misses),
            model.streamReads(),
            model.streamWrites(),
            model.streamBytes()),
        objective.weights());
  }

  /** As in {@code 256.0 to 272.0 MiB, NEWTON wants 300.0, DONOR, cost 1.0 gain 0.1}. */
  public static String shown(Decision decision) {
    String split =
        decision.moves()
            ? mebibytes(decision.fromBytes()) + " to " + mebibytes(decision.toBytes()) + " MiB"
            : mebibytes(decision.fromBytes()) + " MiB stays";
    String wish =
        decision.origin() == Origin.NONE
            ? ""
            : ", " + decision.origin() + " wants " + mebibytes(decision.wantedBytes());
    String gain =
        String.format(
            Locale.ROOT,
            ", cost %.4f, gain %.4f",
            decision.estimate().cost(),
            decision.estimate().predictedGain());
    return split + wish + ", " + decision.rule() + gain;
  }

  /** What became of the last move, as a line of its own; empty if that is not known. */
  public static String outcome(Decision decision) {
    Decision.Outcome outcome = decision.lastMove();
    return outcome == null
        ? ""
        : String.format(
            Locale.ROOT,
            "\nthe last move gained %.4f of %.4f",
            outcome.observedGain(),
            outcome.predictedGain());
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f", bytes / (double) (1 << 20));
  }
}
