package org.loam.lsm.disk;

import java.nio.file.Path;
import java.util.List;

/**
 * What {@link SSTableVerifier} found. Immutable.
 *
 * @param file the file
 * @param pages pages looked at
 * @param entries entries in pages that could be read
 * @param problemCount how much is wrong
 * @param problems the first of it, at most {@link #MAX_PROBLEMS}: one sentence each, in file order,
 *     without the name of the file
 */
public record TableReport(
    Path file, int pages, long entries, long problemCount, List<String> problems) {
  /** Further problems are counted only: a file with so many needs no longer list. */
  public static final int MAX_PROBLEMS = 100;

  public TableReport {
    problems = List.copyOf(problems);
  }

  /** Whether the file is wholly as it was written. */
  public boolean isSound() {
    return problemCount == 0;
  }
}
