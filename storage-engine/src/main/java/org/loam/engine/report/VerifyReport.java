package org.loam.engine.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code Engine.verify} found. Immutable.
 *
 * @param trees trees whose components were read, those of datasets included
 * @param components SSTables read
 * @param pages their pages
 * @param entries their entries, all versions and anti-matter counted
 * @param datasets what became of each dataset, by name
 * @param findingCount how much is wrong
 * @param findings the first of it, at most {@link #MAX_FINDINGS}
 */
public record VerifyReport(
    int trees,
    int components,
    long pages,
    long entries,
    List<DatasetReport> datasets,
    long findingCount,
    List<Finding> findings) {
  /** Further findings are counted only. */
  public static final int MAX_FINDINGS = 100;

  /**
   * Something that is wrong.
   *
   * @param place where: a file, or a dataset and its index
   * @param fault what is wrong there
   * @param remedy what to do
   */
  public record Finding(String place, String fault, String remedy) {
    @Override
    public String toString() {
      return place + ": " + fault + "; " + remedy;
    }
  }

  /**
   * A dataset, as it was at one moment.
   *
   * @param name of the dataset
   * @param records its records; 0 if it was not checked
   * @param indexes its indexes, by name
   * @param notChecked why records and indexes were not compared, or null if they were
   */
  public record DatasetReport(
      String name, long records, List<IndexReport> indexes, @Nullable String notChecked) {
    public DatasetReport {
      indexes = List.copyOf(indexes);
    }
  }

  /**
   * An index.
   *
   * @param name of the index
   * @param entries its entries; 0 if it was not checked
   */
  public record IndexReport(String name, long entries) {}

  public VerifyReport {
    datasets = List.copyOf(datasets);
    findings = List.copyOf(findings);
  }

  /** Whether nothing is wrong in what was checked. */
  public boolean isSound() {
    return findingCount == 0;
  }

  /** Records of all datasets that were checked. */
  public long records() {
    return datasets.stream().mapToLong(DatasetReport::records).sum();
  }

  /** Entries of all indexes that were checked. */
  public long indexEntries() {
    return datasets.stream()
        .flatMap(dataset -> dataset.indexes().stream())
        .mapToLong(IndexReport::entries)
        .sum();
  }
}
