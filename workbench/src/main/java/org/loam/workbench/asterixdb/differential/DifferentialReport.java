package org.loam.workbench.asterixdb.differential;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a run of differential statements found.
 *
 * @param storages that were compared
 * @param firstSeed of the run
 * @param seeds that ended
 * @param seconds that it took, without the start of the clusters
 * @param tally of what was answered alike
 * @param finding the first difference; null if there was none
 */
public record DifferentialReport(
    @JsonProperty("storages") List<String> storages,
    @JsonProperty("firstSeed") long firstSeed,
    @JsonProperty("seeds") int seeds,
    @JsonProperty("seconds") double seconds,
    @JsonProperty("tally") Tally tally,
    @JsonProperty("finding") @Nullable Finding finding) {

  /** Whether all answers were the same, and no node ended. */
  @JsonIgnore
  public boolean isClean() {
    return finding == null && tally.ends().isEmpty();
  }

  /** For people. */
  public String text() {
    StringBuilder text = new StringBuilder();
    int refused = tally.refusals().values().stream().mapToInt(n -> n).sum();
    line(text, "storages    %s", String.join(", ", storages));
    line(text, "seeds       %d from %d", seeds, firstSeed);
    line(text, "statements  %,d in %.0f s, %,d rows", tally.statements(), seconds, tally.rows());
    line(text, "refused     %,d, by both", refused);
    tally.ends().forEach(end -> line(text, "ended       both, at %s", end));
    Finding found = finding;
    if (found != null) {
      Difference difference = found.difference();
      line(text, "seed        %d", found.seed());
      line(text, "difference  at statement %d: %s", difference.statement(), difference.text());
      difference.what().forEach(what -> line(text, "            %s", what));
      line(text, "repeat      %s", found.repeat());
      if (found.script() != null) {
        line(text, "script      %s", found.script());
      }
    }
    line(text, "result      %s", isClean() ? "all answers are the same" : "NOT as it must be");
    return text.toString();
  }

  private static void line(StringBuilder text, String format, @Nullable Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
  }
}
