package org.loam.engine.verify;

import java.util.ArrayList;
import java.util.List;
import org.loam.engine.report.VerifyReport;
import org.loam.engine.report.VerifyReport.Finding;

/** Keeps the first findings and counts all. One thread. */
final class Findings {
  private final List<Finding> kept = new ArrayList<>();
  private long count;

  void add(String place, String fault, String remedy) {
    count++;
    if (kept.size() < VerifyReport.MAX_FINDINGS) {
      kept.add(new Finding(place, fault, remedy));
    }
  }

  /** Counts findings of which another report has kept the number only. */
  void addUnlisted(long more) {
    count += more;
  }

  long count() {
    return count;
  }

  List<Finding> kept() {
    return kept;
  }
}
