package org.loam.scheduler.work;

import org.loam.common.script.Script;

/**
 * Component constraints as options of a command: {@code stop=12} components of L0 above each other,
 * {@code factor=2} of the expected depth. Neither is no constraint.
 */
final class ConstraintText {
  private static final int L0_MIN_MERGE = 4;

  private ConstraintText() {}

  static ComponentConstraint parse(Script.Command command) {
    ComponentConstraint constraint = shape -> null;
    String factor = command.option("factor", "");
    if (!factor.isEmpty()) {
      int minMerge = command.number("min", L0_MIN_MERGE);
      constraint = ComponentConstraint.globalLimit(minMerge, Double.parseDouble(factor));
    }
    int stop = command.number("stop", 0);
    return stop == 0 ? constraint : ComponentConstraint.l0Stop(stop).or(constraint);
  }
}
