package org.loam.workbench.demo;

import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.console.WorkOptions;
import picocli.CommandLine.Option;

/** What all demonstrations ask of a user, besides the source of records. */
public final class DemoOptions extends WorkOptions {
  /** With fewer there is nothing to see. */
  public static final int LEAST_RECORDS = 1000;

  @Option(
      names = "--records",
      paramLabel = "<n>",
      description = "Take at most this number of records.")
  private int mostRecords = Integer.MAX_VALUE;

  @Option(names = "--keep", description = "Keep the directory at the end.")
  private boolean keep;

  /** How many records to take at most. */
  public int mostRecords() {
    return requireAtLeast("--records", mostRecords, LEAST_RECORDS);
  }

  /** Whether the directory is to stay. */
  public boolean keep() {
    return keep;
  }

  /**
   * The directory, made.
   *
   * @param name of the command
   */
  public WorkDirectory workDirectory(String name) {
    return workDirectory(name, keep);
  }

  /**
   * Refuses a source of too few.
   *
   * @throws CommandException if it has
   */
  public static void requireEnough(long records) {
    if (records < LEAST_RECORDS) {
      throw CommandException.environment(
          "the source has only " + records + " records; choose another with --source tpch");
    }
  }
}
