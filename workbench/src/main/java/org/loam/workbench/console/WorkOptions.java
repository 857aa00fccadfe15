package org.loam.workbench.console;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What commands ask that run something of their own: where, and with which randomness. */
public class WorkOptions extends ReportOptions {
  @Option(
      names = "--directory",
      paramLabel = "<path>",
      description =
          "Directory for all files: empty or new. At the end the files are deleted, and a"
              + " new directory with them. Default: a directory in the project.")
  private @Nullable Path directory;

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      defaultValue = "42",
      description = "Seed of all random choices. Default: ${DEFAULT-VALUE}.")
  private long seed;

  public final long seed() {
    return seed;
  }

  /**
   * The directory, made.
   *
   * @param name of the command
   * @param keep whether it stays when the command ends
   */
  public final WorkDirectory workDirectory(String name, boolean keep) {
    return WorkDirectory.create(directory, name, keep);
  }
}
