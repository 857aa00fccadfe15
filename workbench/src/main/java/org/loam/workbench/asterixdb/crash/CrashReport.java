package org.loam.workbench.asterixdb.crash;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/**
 * What crashes did.
 *
 * @param cycles that ended
 * @param kills nodes killed at work
 * @param recoveryCrashes how often nodes were killed while they recovered
 * @param statements acknowledged
 * @param records that these wrote or deleted
 * @param findings after all crashes
 */
public record CrashReport(
    @JsonProperty("cycles") int cycles,
    @JsonProperty("kills") int kills,
    @JsonProperty("recoveryCrashes") int recoveryCrashes,
    @JsonProperty("statements") long statements,
    @JsonProperty("records") long records,
    @JsonProperty("findings") Findings findings) {

  /** Whether nothing was found that must not be. */
  @JsonIgnore
  public boolean isClean() {
    return findings.isClean();
  }

  /** In one line. */
  public String line() {
    return String.format(
        Locale.ROOT,
        "%d cycles, %d kills, %d during recovery: %,d statements acknowledged, %,d records found,"
            + " %d as in flight, %d lost, %d twice, %d wrong, %d disagreements, %d refused",
        cycles,
        kills,
        recoveryCrashes,
        statements,
        findings.kept(),
        findings.inFlight(),
        findings.lost(),
        findings.twice(),
        findings.wrong(),
        findings.disagreements(),
        findings.refused());
  }

  /** For people. */
  public String text() {
    StringBuilder text = new StringBuilder();
    line(text, "cycles         %d", cycles);
    line(text, "kills          %d nodes, %d times during recovery", kills, recoveryCrashes);
    line(text, "acknowledged   %,d statements, %,d records", statements, records);
    line(text, "found          %,d, %,d as in flight", findings.kept(), findings.inFlight());
    line(text, "lost           %d", findings.lost());
    line(text, "twice          %d", findings.twice());
    line(text, "wrong          %d", findings.wrong());
    line(text, "disagreements  %d", findings.disagreements());
    line(text, "refused        %d", findings.refused());
    findings.notes().forEach(note -> line(text, "%s", note));
    line(text, "result         %s", isClean() ? "all as it must be" : "NOT as it must be");
    return text.toString();
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
  }
}
