package org.loam.workbench.inspect;

import java.nio.file.Files;
import java.nio.file.Path;
import org.loam.common.env.StorageEnv;
import org.loam.lsm.manifest.ManifestDump;
import org.loam.workbench.console.CommandException;

/** What several inspections look at. */
final class Inspected {
  private Inspected() {}

  /**
   * The manifest of a database, as far as it can be read.
   *
   * @throws CommandException if there is none at all
   */
  static ManifestDump manifest(StorageEnv env, Path directory) {
    if (!Files.isDirectory(directory)) {
      throw noDatabase(directory);
    }
    ManifestDump dump = ManifestDump.read(env, directory);
    if (dump.file() == null) {
      throw noDatabase(directory);
    }
    return dump;
  }

  private static CommandException noDatabase(Path directory) {
    return CommandException.environment(
        "there is no manifest in " + directory + "; name a database with --directory");
  }
}
