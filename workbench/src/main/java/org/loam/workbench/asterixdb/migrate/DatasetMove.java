package org.loam.workbench.asterixdb.migrate;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitHook;
import org.loam.workbench.console.Progress;

/**
 * Moves datasets, one at a time. Each is there and empty in the new cluster, and is not written to
 * in the old one meanwhile.
 *
 * @param files where the texts of a dataset are as long as it moves
 * @param node of the new cluster, which sees this directory
 */
record DatasetMove(MoveCluster from, MoveCluster to, Path files, String node) {
  /**
   * What was moved.
   *
   * @param bytes of the records as texts
   */
  record Moved(String dataset, long records, long bytes) {}

  /**
   * Copies a dataset and compares all records of both.
   *
   * @throws CommandException if the new one is not empty, if they differ, or if the file is there
   *     or cannot be written
   */
  Moved copy(String dataset) throws InterruptedException {
    long present = to.count(dataset);
    if (present != 0) {
      throw CommandException.failed(
          dataset + " of the new cluster has " + present + " records; only an empty one is filled");
    }
    Path file = newFile(files.resolve(dataset.replaceAll("\\W+", "_") + ".adm").toAbsolutePath());
    // After an interrupt of the command as well: a dataset is large.
    try (ExitHook unused = new ExitHook("delete a file of a move", () -> delete(file))) {
      Contents gone = write(dataset, file);
      if (gone.records() > 0) {
        to.load(dataset, node, file);
      }
      requireSame(dataset, gone);
      return new Moved(dataset, gone.records(), gone.bytes());
    } finally {
      delete(file);
    }
  }

  /** A new file: a LOAD whose command was killed may still read one that is there. */
  private static Path newFile(Path file) {
    try {
      return Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      throw CommandException.environment(
          file
              + " is there already; if an earlier move has left it, see that its LOAD does not run"
              + " any more, and delete the file",
          e);
    } catch (IOException e) {
      throw cannotWrite(file, e);
    }
  }

  private Contents write(String dataset, Path file) throws InterruptedException {
    Contents contents = new Contents();
    try (Writer out = Files.newBufferedWriter(file)) {
      from.read(
          dataset,
          text -> {
            contents.add(text);
            try {
              out.append(text).append('\n');
            } catch (IOException e) {
              throw cannotWrite(file, e);
            }
          });
    } catch (IOException e) {
      throw cannotWrite(file, e);
    }
    return contents;
  }

  private static CommandException cannotWrite(Path file, IOException cause) {
    return CommandException.environment(
        "cannot write " + file + "; the dataset was not dropped or loaded: " + cause, cause);
  }

  private void requireSame(String dataset, Contents gone) throws InterruptedException {
    Contents come = new Contents();
    to.read(dataset, come::add);
    long left = from.count(dataset);
    if (left != gone.records()) {
      throw CommandException.failed(
          dataset
              + " had "
              + gone.records()
              + " records when it was read, and has "
              + left
              + " now: end what writes to it; then drop and create it in the new cluster, and move"
              + " it again");
    }
    if (!come.isSameAs(gone)) {
      throw CommandException.failed(
          dataset
              + " differs: "
              + gone.records()
              + " records went, and "
              + come.records()
              + " came; some of them may be others. The old cluster is as it was");
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      Progress.say("cannot delete " + file + ": " + e);
    }
  }
}
