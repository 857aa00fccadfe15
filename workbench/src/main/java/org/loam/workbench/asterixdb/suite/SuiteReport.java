package org.loam.workbench.asterixdb.suite;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.loam.workbench.asterixdb.suite.CaseResult.Outcome;

/**
 * What came of the suite, on one storage or on two.
 *
 * @param version of AsterixDB
 * @param storages with the same cases each; the stock storage before Loam
 */
public record SuiteReport(
    @JsonProperty("version") String version,
    @JsonProperty("storages") List<StorageResult> storages) {
  private static final String ROW = "%-24s";
  private static final String COUNTS = "%9s %9s %9s";

  /**
   * Whether all is well. With two storages: each case that passes on the first one passes on the
   * second one. With one: none fails.
   */
  @JsonProperty("passed")
  public boolean isPassed() {
    if (storages.size() == 1) {
      return storages.get(0).ended(Outcome.FAILED).isEmpty();
    }
    List<CaseResult> first = storages.get(0).cases();
    List<CaseResult> second = storages.get(1).cases();
    for (int i = 0; i < first.size(); i++) {
      if (first.get(i).outcome() == Outcome.PASSED && second.get(i).outcome() != Outcome.PASSED) {
        return false;
      }
    }
    return true;
  }

  /** The cases that do not end alike, each with how it ends where. */
  @JsonProperty("differing")
  public List<String> differing() {
    List<String> differing = new ArrayList<>();
    for (int i = 0; i < storages.get(0).cases().size(); i++) {
      Set<Outcome> outcomes = new LinkedHashSet<>();
      StringBuilder line = new StringBuilder(storages.get(0).cases().get(i).name()).append(":");
      for (StorageResult storage : storages) {
        Outcome outcome = storage.cases().get(i).outcome();
        outcomes.add(outcome);
        line.append(' ').append(word(outcome)).append(" on ").append(storage.storage());
      }
      if (outcomes.size() > 1) {
        differing.add(line.toString());
      }
    }
    return differing;
  }

  private static String word(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** For people: a table of the groups, and every case that did not pass by its name. */
  public String text() {
    List<String> lines = new ArrayList<>();
    addTable(lines);
    for (StorageResult storage : storages) {
      if (storage.trees() > 0) {
        lines.add("");
        lines.add(
            String.format(
                Locale.ROOT,
                "%d cases on %s had datasets with entries in Loam, %d trees",
                storage.served(),
                storage.storage(),
                storage.trees()));
      }
      addTuner(lines, storage);
    }
    addCases(lines, "not run", storages.get(0).ended(Outcome.NOT_RUN));
    for (StorageResult storage : storages) {
      addCases(lines, "failed on " + storage.storage(), storage.ended(Outcome.FAILED));
    }
    if (storages.size() > 1) {
      lines.add("");
      List<String> differing = differing();
      lines.add(differing.isEmpty() ? "the storages do not differ" : "the storages differ:");
      differing.forEach(line -> lines.add("  " + line));
    }
    return String.join(System.lineSeparator(), lines) + System.lineSeparator();
  }

  private void addTable(List<String> lines) {
    StringBuilder head = new StringBuilder(String.format(Locale.ROOT, ROW, "AsterixDB " + version));
    StringBuilder columns = new StringBuilder(String.format(Locale.ROOT, ROW, "group"));
    for (StorageResult storage : storages) {
      head.append(String.format(Locale.ROOT, COUNTS, storage.storage(), "", ""));
      columns.append(String.format(Locale.ROOT, COUNTS, "passed", "failed", "not run"));
    }
    lines.add(head.toString().stripTrailing());
    lines.add(columns.toString());
    Set<String> groups = new LinkedHashSet<>();
    storages.get(0).cases().forEach(result -> groups.add(result.group()));
    for (String group : groups) {
      addRow(lines, group, Set.of(group));
    }
    addRow(lines, "all", groups);
  }

  private void addRow(List<String> lines, String title, Set<String> groups) {
    StringBuilder row = new StringBuilder(String.format(Locale.ROOT, ROW, title));
    for (StorageResult storage : storages) {
      row.append(
          String.format(
              Locale.ROOT,
              COUNTS,
              storage.count(groups, Outcome.PASSED),
              storage.count(groups, Outcome.FAILED),
              storage.count(groups, Outcome.NOT_RUN)));
    }
    lines.add(row.toString());
  }

  private static void addTuner(List<String> lines, StorageResult storage) {
    TunerCycles tuner = storage.tuner();
    if (tuner.cycles() > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%d cycles of the memory tuner ended on %s; memory moved within %d of them, and %d"
                  + " ended with the decision to move it",
              tuner.cycles(),
              storage.storage(),
              tuner.moved(),
              tuner.decided()));
    }
  }

  private static void addCases(List<String> lines, String title, List<CaseResult> cases) {
    if (!cases.isEmpty()) {
      lines.add("");
      lines.add(title + ":");
      cases.forEach(result -> lines.add("  " + result.name() + ": " + result.shortReason()));
    }
  }
}
