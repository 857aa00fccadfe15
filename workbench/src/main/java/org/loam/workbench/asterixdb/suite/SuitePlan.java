package org.loam.workbench.asterixdb.suite;

import java.util.List;

/** The cases that were chosen. Immutable. */
public final class SuitePlan {
  private final List<SuiteSelection.Chosen> cases;

  SuitePlan(List<SuiteSelection.Chosen> cases) {
    this.cases = cases;
  }

  List<SuiteSelection.Chosen> cases() {
    return cases;
  }

  /** How many can be run. */
  public int runnable() {
    return (int) cases.stream().filter(chosen -> chosen.missing().isEmpty()).count();
  }
}
