package org.loam.scheduler.work;

import org.loam.common.script.Script;

/**
 * Component constraints as options of a command: {@code stop=12} components of L0 above each other,
 * {@code fill=3} times the bytes of a full L1 in L0, {@code factor=2} of the expected depth.
 * Without any of them there is no constraint.
 */
final class ConstraintText {
  private static final int L0_MIN_MERGE = 4;
  private static final int LEVEL_RATIO = 10;

  private ConstraintText() {}

  static ComponentConstraint parse(Script.Command command) {
    ComponentConstraint constraint = shape -> null;
    String factor = command.option("factor", "");
    if (!factor.isEmpty()) {
      int minMerge = command.number("min", L0_MIN_MERGE);
      constraint = ComponentConstraint.globalLimit(minMerge, Double.parseDouble(factor));
    }
    int fill = command.number("fill", 0);
    if (fill > 0) {
      constraint = ComponentConstraint.l0Fill(LEVEL_RATIO, fill).or(constraint);
    }
    int stop = command.number("stop", 0);
    return stop == 0 ? constraint : ComponentConstraint.l0Stop(stop).or(constraint);
  }
}
