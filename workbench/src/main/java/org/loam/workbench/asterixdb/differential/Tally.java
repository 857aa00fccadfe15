package org.loam.workbench.asterixdb.differential;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What two clusters answered alike.
 *
 * @param statements answered
 * @param rows that they had
 * @param kinds how many statements there were of each
 * @param refusals how many were refused, by kind and error
 * @param ends statements at which nodes of both clusters ended, or after which one did not start
 */
public record Tally(
    @JsonProperty("statements") int statements,
    @JsonProperty("rows") long rows,
    @JsonProperty("kinds") Map<StatementKind, Integer> kinds,
    @JsonProperty("refusals") Map<String, Integer> refusals,
    @JsonProperty("ends") List<String> ends) {
  /** Keeps copies. */
  public Tally {
    kinds = new TreeMap<>(kinds);
    refusals = new TreeMap<>(refusals);
    ends = List.copyOf(ends);
  }
}
