package org.loam.workbench.figure;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.loam.workbench.bench.latency.LatencyReport;
import org.loam.workbench.figure.ClaimFile.LeftOut;
import org.loam.workbench.figure.ClaimFile.Verdict;

/**
 * What {@code loam figure --json} prints: the report of the latency benchmark, and beside it what
 * the paper claims.
 *
 * @param figure what it is
 * @param verdicts one for each claim
 * @param measured the series
 */
record FigureReport(
    @JsonProperty("figure") About figure,
    @JsonProperty("verdicts") List<Verdict> verdicts,
    @JsonUnwrapped LatencyReport measured) {

  /**
   * A figure.
   *
   * @param id its name
   * @param title of the claim file
   * @param paper where it stands
   * @param compared what is compared
   * @param scale that was measured
   * @param leftOut series that are not there
   */
  record About(
      @JsonProperty("id") String id,
      @JsonProperty("title") String title,
      @JsonProperty("paper") String paper,
      @JsonProperty("compared") String compared,
      @JsonProperty("scale") String scale,
      @JsonProperty("leftOut") List<LeftOut> leftOut) {

    static About of(String id, String scale, ClaimFile claims) {
      return new About(
          id, claims.title(), claims.paper(), claims.compared(), scale, claims.leftOut());
    }
  }

  /** What a paper says, judged by the medians of what was measured. */
  static FigureReport of(About figure, ClaimFile claims, LatencyReport measured) {
    Map<String, Map<String, Double>> medians = new LinkedHashMap<>();
    measured
        .numbers()
        .forEach(
            (series, numbers) ->
                numbers.forEach(
                    (name, found) ->
                        medians
                            .computeIfAbsent(series, s -> new LinkedHashMap<>())
                            .put(name, found.median())));
    return new FigureReport(figure, claims.judge(medians), measured);
  }

  /** Whether all claims hold. */
  boolean passed() {
    return verdicts.stream().allMatch(verdict -> verdict.outcome().passed());
  }

  /** As lines. */
  String text() {
    StringBuilder text = new StringBuilder();
    line(text, "%s: %s", figure.id(), figure.title());
    line(text, "paper: %s", figure.paper());
    line(text, "here: %s", figure.compared());
    line(text, "scale: %s", figure.scale());
    for (LeftOut leftOut : figure.leftOut()) {
      line(text, "left out: %s. %s", leftOut.series(), leftOut.reason());
    }
    line(text, "");
    text.append(measured.table());
    for (Verdict verdict : verdicts) {
      line(text, "");
      line(
          text,
          "%s  the paper: %s",
          verdict.outcome().passed() ? "PASS" : "FAIL",
          verdict.claim().text());
      line(text, "      check: %s", verdict.claim().check());
      line(text, "      here:  %s", verdict.outcome().text());
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
  }
}
