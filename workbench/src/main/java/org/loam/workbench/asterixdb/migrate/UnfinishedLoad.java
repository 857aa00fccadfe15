package org.loam.workbench.asterixdb.migrate;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.loam.workbench.console.CommandException;

/**
 * The mark of a LOAD, beside the files of its dataset. LOAD fills the records first, and the
 * indexes after that. If it fails in between, the records stay, and the indexes are empty, which a
 * comparison of records does not show. The mark is a file that is there from before the LOAD until
 * the LOAD has ended well.
 *
 * @param directory of the files
 * @param dataset two datasets have no mark in common
 */
record UnfinishedLoad(Path directory, String dataset) {
  private Path file() {
    String name = URLEncoder.encode(dataset, StandardCharsets.UTF_8) + ".unfinished";
    return directory.resolve(name).toAbsolutePath();
  }

  /**
   * A LOAD begins. The mark is durable, as what is loaded will be.
   *
   * @throws CommandException if the mark cannot be written
   */
  void begin() {
    try {
      Files.write(file(), new byte[0]);
      try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
        names.force(true);
      }
    } catch (IOException e) {
      throw CommandException.environment(
          "cannot write " + file() + "; nothing was loaded: " + e, e);
    }
  }

  /**
   * The LOAD has ended well.
   *
   * @throws CommandException if the mark cannot be deleted
   */
  void end() {
    try {
      Files.delete(file());
    } catch (IOException e) {
      throw CommandException.environment("cannot delete " + file() + ": " + e, e);
    }
  }

  /**
   * Looks whether the records of a dataset in the new cluster may lack their index entries.
   *
   * @throws CommandException if a LOAD has begun that is not known to have ended well
   */
  void requireNone() {
    if (!Files.notExists(file())) {
      throw CommandException.failed(
          dataset
              + " has records in the new cluster, but its LOAD is not known to have ended well in"
              + " an earlier run, so that its indexes may be empty: drop and create the dataset"
              + " there, and move it again. The old cluster has all of its records. If the dataset"
              + " has no secondary indexes, delete "
              + file()
              + " instead");
    }
  }
}
