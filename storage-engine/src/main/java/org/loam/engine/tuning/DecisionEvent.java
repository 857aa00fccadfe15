package org.loam.engine.tuning;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.TunerMode;
import org.loam.tuner.policy.Decision;

/** A decision of the memory tuner as an event of the JVM's flight recorder, which reads fields. */
@Name("org.loam.TunerDecision")
@Label("Tuner Decision")
@Category("Loam")
@StackTrace(false)
final class DecisionEvent extends Event {
  @Label("Directory")
  @Description("Directory of the database")
  @Nullable String directory;

  @Label("Cycle")
  @Description("Cycles since the engine was opened")
  long cycle;

  @Label("Mode")
  @Nullable String mode;

  @Label("From")
  @Description("Write memory before")
  @DataAmount
  long fromBytes;

  @Label("Wanted")
  @Description("Write memory that the policy wanted")
  @DataAmount
  long wantedBytes;

  @Label("To")
  @Description("Write memory from then on")
  @DataAmount
  long toBytes;

  @Label("Origin")
  @Nullable String origin;

  @Label("Rule")
  @Nullable String rule;

  @Label("Meaning")
  @Description("The rule in a few words")
  @Nullable String meaning;

  @Label("Cost")
  @Description("Cost of an operation in the cycle, weighted")
  double cost;

  @Label("Unit")
  @Description("What costs and gains are in: nanoseconds, or pages with tuner.cost PAGES")
  @Nullable String unit;

  @Label("Predicted Gain")
  @Description("By how much the step should lower the cost")
  double predictedGain;

  @Label("Last Move, Predicted Gain")
  @Description("By how much the last move should have lowered the cost; NaN if that is not known")
  double lastPredictedGain;

  @Label("Last Move, Observed Gain")
  @Description("By how much it did; NaN if that is not known")
  double lastObservedGain;

  /** Records a decision if there is a recording. */
  static void record(Path directory, TunerTask.Cycle cycle, TunerMode mode) {
    DecisionEvent event = new DecisionEvent();
    if (!event.isEnabled()) {
      return;
    }
    event.directory = directory.toString();
    Decision decision = cycle.decision();
    event.cycle = cycle.number();
    event.mode = mode.name();
    event.fromBytes = decision.fromBytes();
    event.wantedBytes = decision.wantedBytes();
    event.toBytes = decision.toBytes();
    event.origin = decision.origin().name();
    event.rule = decision.rule().name();
    event.meaning = decision.rule().meaning();
    event.cost = decision.estimate().cost();
    event.unit = cycle.unit().name();
    event.predictedGain = decision.estimate().predictedGain();
    Decision.Outcome outcome = decision.lastMove();
    event.lastPredictedGain = outcome == null ? Double.NaN : outcome.predictedGain();
    event.lastObservedGain = outcome == null ? Double.NaN : outcome.observedGain();
    event.commit();
  }
}
