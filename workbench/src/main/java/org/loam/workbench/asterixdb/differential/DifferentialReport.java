package org.loam.workbench.asterixdb.differential;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run of differential statements found.
 *
 * @param storages that were compared
 * @param firstSeed of the run
 * @param seeds that ended
 * @param statements answered alike
 * @param rows that they had
 * @param kinds how many statements there were of each
 * @param refusals how many were refused, by kind and error, on both clusters
 * @param ends statements at which nodes of both clusters ended
 * @param seconds that it took, without the start of the clusters
 * @param difference the first that was found; null if there was none
 * @param repeat a command that repeats it; null if there was none
 * @param script a file with few statements that have a difference; null if there was none
 */
public record DifferentialReport(
    @JsonProperty("storages") List<String> storages,
    @JsonProperty("firstSeed") long firstSeed,
    @JsonProperty("seeds") int seeds,
    @JsonProperty("statements") int statements,
    @JsonProperty("rows") long rows,
    @JsonProperty("kinds") Map<StatementKind, Integer> kinds,
    @JsonProperty("refusals") Map<String, Integer> refusals,
    @JsonProperty("ends") List<String> ends,
    @JsonProperty("seconds") double seconds,
    @JsonProperty("difference") @Nullable Difference difference,
    @JsonProperty("repeat") @Nullable String repeat,
    @JsonProperty("script") @Nullable String script) {

  /** Whether all answers were the same, and no node ended. */
  @JsonIgnore
  public boolean isClean() {
    return difference == null && ends.isEmpty();
  }

  /** For people. */
  public String text() {
    StringBuilder text = new StringBuilder();
    line(text, "storages    %s", String.join(", ", storages));
    line(text, "seeds       %d from %d", seeds, firstSeed);
    line(text, "statements  %,d in %.0f s, %,d rows", statements, seconds, rows);
    line(text, "refused     %,d, by both", refusals.values().stream().mapToInt(n -> n).sum());
    ends.forEach(end -> line(text, "ended       both, at %s", end));
    Difference found = difference;
    if (found != null) {
      line(text, "difference  at statement %d: %s", found.statement(), found.text());
      found.what().forEach(what -> line(text, "            %s", what));
      line(text, "repeat      %s", repeat);
      line(text, "script      %s", script);
    }
    line(text, "result      %s", isClean() ? "all answers are the same" : "NOT as it must be");
    return text.toString();
  }

  private static void line(StringBuilder text, String format, @Nullable Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
  }
}
