package org.loam.workbench.asterixdb.differential;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The files that statements load. Both clusters read the same one at the same time, so a file is
 * written before either is told of it.
 */
final class LoadFiles {
  private final Path directory;

  /**
   * Files of one run.
   *
   * @param directory is made with the first file
   */
  LoadFiles(Path directory) {
    this.directory = directory;
  }

  /** Writes the file of a statement that has one, and puts its path into the text. */
  Statement write(Statement statement) {
    if (!statement.text().contains(Statement.FILE)) {
      return statement;
    }
    Path file = directory.resolve("load-" + statement.number() + ".adm");
    try {
      Files.createDirectories(directory);
      Files.write(file, statement.file());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return statement.withText(statement.text().replace(Statement.FILE, file.toString()));
  }
}
