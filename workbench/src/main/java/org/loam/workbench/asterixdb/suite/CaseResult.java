package org.loam.workbench.asterixdb.suite;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What came of a case on a storage.
 *
 * @param group the outermost group that it is in
 * @param name of the case
 * @param outcome how it ended
 * @param reason why it failed or was not run; else empty
 * @param seconds it took; 0 if it was not run
 * @param trees indexes of its datasets that had a tree of Loam's, counted once for each partition
 * @param filled those of them that had entries at some time
 */
public record CaseResult(
    @JsonProperty("group") String group,
    @JsonProperty("name") String name,
    @JsonProperty("outcome") Outcome outcome,
    @JsonProperty("reason") String reason,
    @JsonProperty("seconds") double seconds,
    @JsonProperty("trees") int trees,
    @JsonProperty("filled") int filled) {
  /** How a case ended. */
  public enum Outcome {
    /** All its answers were the expected ones. */
    PASSED,
    /** One was not, or it took too long, or took the cluster along. */
    FAILED,
    /** Something that it needs is not here. */
    NOT_RUN
  }

  private static final int SHOWN_CHARS = 200;

  /** One line, not too long. */
  String shortReason() {
    String line = reason.replaceAll("\\s+", " ").strip();
    return line.length() <= SHOWN_CHARS ? line : line.substring(0, SHOWN_CHARS) + "...";
  }

  static CaseResult passed(SuiteCase suiteCase, double seconds, int trees, int filled) {
    return new CaseResult(
        suiteCase.group(), suiteCase.name(), Outcome.PASSED, "", seconds, trees, filled);
  }

  static CaseResult failed(SuiteCase suiteCase, double seconds, String reason) {
    return new CaseResult(
        suiteCase.group(), suiteCase.name(), Outcome.FAILED, reason, seconds, 0, 0);
  }

  static CaseResult notRun(SuiteCase suiteCase, String reason) {
    return new CaseResult(suiteCase.group(), suiteCase.name(), Outcome.NOT_RUN, reason, 0, 0, 0);
  }
}
