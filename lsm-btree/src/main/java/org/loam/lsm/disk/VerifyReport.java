package org.loam.lsm.disk;

import java.nio.file.Path;
import java.util.List;

/**
 * What {@link SSTable#verify} found.
 *
 * @param file the file
 * @param pages pages looked at
 * @param entries entries in pages that could be read
 * @param problems one sentence each, in file order; at most {@link #MAX_PROBLEMS}
 */
public record VerifyReport(Path file, int pages, long entries, List<String> problems) {
  /** Further problems are not reported: a file with so many needs no longer list. */
  public static final int MAX_PROBLEMS = 100;

  /** Whether the file is wholly as it was written. */
  public boolean isSound() {
    return problems.isEmpty();
  }
}
