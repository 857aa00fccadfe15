package org.loam.workbench.database;

import java.io.PrintWriter;
import java.util.Locale;
import org.loam.engine.report.VerifyReport;
import org.loam.engine.report.VerifyReport.DatasetReport;
import org.loam.engine.report.VerifyReport.IndexReport;

/** A {@link VerifyReport} for people. */
final class VerifyText {
  private VerifyText() {}

  static void print(VerifyReport report, PrintWriter out) {
    report.findings().forEach(out::println);
    long more = report.findingCount() - report.findings().size();
    if (more > 0) {
      out.printf(Locale.ROOT, "... and %,d more%n", more);
    }
    out.printf(
        Locale.ROOT,
        "components: %,d in %,d trees, with %,d pages and %,d entries%n",
        report.components(),
        report.trees(),
        report.pages(),
        report.entries());
    report.datasets().forEach(dataset -> print(dataset, out));
    out.printf(
        Locale.ROOT,
        "%s%n",
        report.isSound()
            ? "nothing is wrong"
            : String.format(Locale.ROOT, "findings: %,d", report.findingCount()));
  }

  private static void print(DatasetReport dataset, PrintWriter out) {
    String name = "dataset '" + dataset.name() + "'";
    if (dataset.notChecked() != null) {
      out.println(name + ": indexes not checked: " + dataset.notChecked());
      return;
    }
    out.printf(Locale.ROOT, "%s: %,d records", name, dataset.records());
    for (IndexReport index : dataset.indexes()) {
      out.printf(Locale.ROOT, ", index '%s' %,d entries", index.name(), index.entries());
    }
    out.println();
  }
}
