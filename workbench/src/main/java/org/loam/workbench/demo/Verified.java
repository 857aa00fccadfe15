package org.loam.workbench.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;
import org.loam.engine.report.VerifyReport;
import org.loam.engine.report.VerifyReport.DatasetReport;
import org.loam.engine.report.VerifyReport.IndexReport;
import org.loam.workbench.console.Progress;

/**
 * What {@code Engine.verify} checked and found, in one check or several.
 *
 * @param records that the last run compared with their indexes
 * @param indexEntries that it compared with their records
 * @param pages that it read
 * @param findings of all runs
 */
record Verified(
    @JsonProperty("records") long records,
    @JsonProperty("indexEntries") long indexEntries,
    @JsonProperty("pages") long pages,
    @JsonProperty("findings") long findings) {
  static final Verified NOTHING = new Verified(0, 0, 0, 0);

  /** Verifies once more; counts that are not those of the model are wrong answers. */
  Verified again(DemoDatabase database, Expected expected, Answers answers) {
    VerifyReport report = database.engine().verify();
    report.findings().forEach(finding -> Progress.say("WRONG: " + finding));
    report.datasets().forEach(dataset -> compare(dataset, database.shape(), expected, answers));
    return new Verified(
        report.records(), report.indexEntries(), report.pages(), findings + report.findingCount());
  }

  private static void compare(
      DatasetReport dataset, Shape shape, Expected expected, Answers answers) {
    if (dataset.records() != expected.count()) {
      answers.complain(
          "verify saw " + dataset.records() + " records, expected " + expected.count());
    }
    for (IndexKind kind : IndexKind.values()) {
      String name = shape.indexName(kind);
      long entries =
          dataset.indexes().stream()
              .filter(index -> index.name().equals(name))
              .mapToLong(IndexReport::entries)
              .sum();
      if (entries != expected.indexEntryCount(kind)) {
        answers.complain(
            "verify saw "
                + entries
                + " entries of index "
                + name
                + ", expected "
                + expected.indexEntryCount(kind));
      }
    }
  }

  String text() {
    return String.format(
        Locale.ROOT,
        "%,d records against %,d index entries, %,d pages: %s",
        records,
        indexEntries,
        pages,
        findings == 0 ? "nothing is wrong" : String.format(Locale.ROOT, "%,d findings", findings));
  }
}
