package org.loam.workbench.asterixdb.suite;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Set;
import org.loam.workbench.asterixdb.suite.CaseResult.Outcome;

/**
 * What came of the cases on a storage.
 *
 * @param storage {@code loam} or {@code stock}
 * @param cases in the order of the suite
 * @param tuner what the memory tuners of Loam's nodes did meanwhile
 */
public record StorageResult(
    @JsonProperty("storage") String storage,
    @JsonProperty("cases") List<CaseResult> cases,
    @JsonProperty("tuner") TunerCycles tuner) {
  /** Those that ended so. */
  List<CaseResult> ended(Outcome outcome) {
    return cases.stream().filter(result -> result.outcome() == outcome).toList();
  }

  /** How many of some groups ended so. */
  long count(Set<String> groups, Outcome outcome) {
    return ended(outcome).stream().filter(result -> groups.contains(result.group())).count();
  }

  /** Cases whose datasets had trees of Loam's with entries. */
  long served() {
    return cases.stream().filter(result -> result.filled() > 0).count();
  }

  /** Trees of Loam's that all cases had together. */
  long trees() {
    return cases.stream().mapToLong(CaseResult::trees).sum();
  }
}
