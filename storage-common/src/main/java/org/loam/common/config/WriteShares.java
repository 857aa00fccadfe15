package org.loam.common.config;

import java.util.Optional;

/**
 * The least write memory of the scheme STATIC, which divides it into shares of the same size.
 * Whatever decides the size of write memory asks here: settings, the tuner, a change while an
 * engine runs.
 */
public final class WriteShares {
  /** An active dataset has two components, each with a page of nodes and one of records. */
  private static final int LEAST_PAGES = 4;

  private WriteShares() {}

  /**
   * What is wrong with a size of write memory, with the rule; empty if shares of it are large
   * enough, or if the scheme has no fixed number of shares.
   *
   * @param name of the size
   */
  public static Optional<String> problem(
      WriteConfig write, int pageBytes, String name, long bytes) {
    int datasets = write.activeDatasets();
    long leastBytes = (long) datasets * LEAST_PAGES * pageBytes;
    return write.scheme() != WriteScheme.STATIC || bytes >= leastBytes
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
