package org.loam.common.config;

import java.util.Optional;

/**
 * The least write memory of a scheme. STATIC divides it into shares of the same size, and what
 * LEVELS and Accordion merge in memory at once is a small part of it. Whatever decides the size of
 * write memory asks here: settings, the tuner, a change while an engine runs.
 */
public final class WriteShares {
  /** An active dataset has two components, each with a page of nodes and one of records. */
  private static final int LEAST_PAGES = 4;

  /** What is merged at once is at most a quarter of write memory. */
  private static final int LEAST_PARTS = 4;

  private WriteShares() {}

  /**
   * What is wrong with a size of write memory, with the rule; empty if the scheme can do with it.
   *
   * @param name of the size
   */
  public static Optional<String> problem(
      WriteConfig write, int pageBytes, String name, long bytes) {
    return switch (write.scheme()) {
      case STATIC -> shares(write.activeDatasets(), pageBytes, name, bytes);
      case LEVELS, ACCORDION_INDEX, ACCORDION_DATA ->
          mergedAtOnce(write.levels().activeBytes(), pageBytes, name, bytes);
      case DYNAMIC, RANGES, STATIC_TUNED -> Optional.empty();
    };
  }

  private static Optional<String> shares(int datasets, int pageBytes, String name, long bytes) {
    long leastBytes = (long) datasets * LEAST_PAGES * pageBytes;
    return bytes >= leastBytes
        ? Optional.empty()
        : Optional.of(
            "write.activeDatasets: "
                + datasets
                + ", each must have "
                + LEAST_PAGES
                + " pages of page.size with write.scheme STATIC, so that "
                + name
                + ", "
                + Units.formatBytes(bytes)
                + ", must be at least "
                + Units.formatBytes(leastBytes)
                + "; raise it or have fewer active datasets");
  }

  /**
   * The same of the size that is merged at once. Write memory has whole pages: of a size that is
   * not, it lacks less than a page.
   *
   * @param activeBytes this size, 0 for a default that always fits
   */
  private static Optional<String> mergedAtOnce(
      long activeBytes, int pageBytes, String name, long bytes) {
    return activeBytes <= (bytes + pageBytes - 1) / LEAST_PARTS
        ? Optional.empty()
        : Optional.of(
            "write.activeBytes: "
                + Units.formatBytes(activeBytes)
                + ", must be at most a quarter of "
                + name
                + ", "
                + Units.formatBytes(bytes));
  }

  /**
   * Refuses a size of write memory, with {@link #problem} and its parameters.
   *
   * @throws IllegalArgumentException if there is one
   */
  public static void require(WriteConfig write, int pageBytes, String name, long bytes) {
    problem(write, pageBytes, name, bytes)
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException(problem);
            });
  }
}
