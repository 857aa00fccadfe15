package org.loam.workbench.database;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What an ingest did.
 *
 * @param records written
 * @param bytes of these records
 * @param indexEntries added and removed
 * @param skipped places of the input that are no records
 * @param reasons why the first of them are none
 * @param seconds until the last record was acknowledged
 * @param stats of the database afterwards, if they were asked for
 */
record IngestReport(
    @JsonProperty("records") long records,
    @JsonProperty("bytes") long bytes,
    @JsonProperty("indexEntries") long indexEntries,
    @JsonProperty("skipped") long skipped,
    @JsonProperty("reasons") List<Reason> reasons,
    @JsonProperty("seconds") double seconds,
    @JsonProperty("stats") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable StatsReport stats) {

  /**
   * Why a place of the input is no record.
   *
   * @param line of the input, from 1 on
   */
  record Reason(@JsonProperty("line") long line, @JsonProperty("reason") String reason) {
    @Override
    public String toString() {
      return "line " + line + ": " + reason;
    }
  }

  @JsonProperty("recordsPerSecond")
  long recordsPerSecond() {
    return Math.round(records / Math.max(1e-3, seconds));
  }

  /** Whether there was something, but not one record. */
  boolean isAllSkipped() {
    return records == 0 && skipped > 0;
  }

  IngestReport with(StatsReport after) {
    return new IngestReport(records, bytes, indexEntries, skipped, reasons, seconds, after);
  }

  String text() {
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%,d records in %.1f s (%,d records/s), %,d bytes, %,d index entries,"
                    + " %,d skipped%n",
                records,
                seconds,
                recordsPerSecond(),
                bytes,
                indexEntries,
                skipped));
    reasons.forEach(
        reason -> text.append("skipped ").append(reason).append(System.lineSeparator()));
    if (skipped > reasons.size()) {
      text.append(String.format(Locale.ROOT, "and %,d more%n", skipped - reasons.size()));
    }
    if (stats != null) {
      text.append(stats.text());
    }
    return text.toString();
  }
}
