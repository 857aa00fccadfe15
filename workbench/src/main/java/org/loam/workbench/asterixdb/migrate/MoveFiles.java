package org.loam.workbench.asterixdb.migrate;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitHook;
import org.loam.workbench.console.Progress;

/**
 * The files of a dataset that moves: its records as they were read, as LOAD takes them, and those
 * that LOAD does not take. They are deleted at the end, also if the command is interrupted, as a
 * dataset is large.
 */
final class MoveFiles implements AutoCloseable {
  private static final int INSERTED_RECORDS = 1000;
  private static final int INSERTED_CHARACTERS = 1 << 20;

  private final Path directory;
  private final Path plain;
  private final Path loaded;
  private final Path inserted;
  private final ExitHook hook;
  private long lines;

  private MoveFiles(Path directory, Path loaded, String name) {
    this.directory = directory;
    this.loaded = loaded;
    this.plain = loaded.resolveSibling(name + ".read");
    this.inserted = loaded.resolveSibling(name + ".insert");
    this.hook = new ExitHook("delete the files of a move", this::delete);
  }

  /**
   * New files, which have the name of the dataset.
   *
   * @throws CommandException if the file of LOAD is there: a LOAD whose command was killed may
   *     still read it
   */
  static MoveFiles create(Path directory, String dataset) {
    String name = dataset.replaceAll("\\W+", "_");
    Path loaded = directory.resolve(name + ".adm").toAbsolutePath();
    try {
      Files.createFile(loaded);
    } catch (FileAlreadyExistsException e) {
      throw CommandException.environment(
          loaded
              + " is there already; if an earlier move has left it, see that its LOAD does not run"
              + " any more, and delete the file",
          e);
    } catch (IOException e) {
      throw cannotWrite(loaded, e);
    }
    return new MoveFiles(directory, loaded, name);
  }

  /**
   * Reads a dataset twice, and writes what fills the new one.
   *
   * @throws CommandException if it changes meanwhile, or has what cannot be moved
   */
  Contents write(MoveCluster from, String dataset) throws InterruptedException {
    Contents contents = new Contents();
    try {
      writePlain(from, dataset, contents);
      writeTyped(from, dataset, contents);
      Files.delete(plain);
    } catch (IOException | UncheckedIOException e) {
      throw cannotWrite(loaded, e);
    }
    return contents;
  }

  private void writePlain(MoveCluster from, String dataset, Contents contents)
      throws IOException, InterruptedException {
    try (Writer out = Files.newBufferedWriter(plain)) {
      from.readPlain(
          dataset,
          record -> {
            contents.addPlain(record);
            line(out, record);
          });
    }
  }

  private void writeTyped(MoveCluster from, String dataset, Contents contents)
      throws IOException, InterruptedException {
    try (BufferedReader in = Files.newBufferedReader(plain);
        Writer out = Files.newBufferedWriter(loaded);
        Writer others = Files.newBufferedWriter(inserted)) {
      from.readLossless(
          dataset,
          contents.intervals(),
          lossless -> {
            String record = next(in);
            if (record.isEmpty()) {
              throw TypedText.changed(dataset);
            }
            contents.addLossless(lossless.toString());
            TypedText.Line line = TypedText.of(dataset, record, lossless, contents.intervals());
            line(line.loads() ? out : others, line.text());
            lines += line.loads() ? 1 : 0;
          });
      if (!next(in).isEmpty()) {
        throw TypedText.changed(dataset);
      }
    }
  }

  /** Fills the new dataset, which is empty. */
  void fill(MoveCluster to, String dataset, String node) throws InterruptedException {
    if (lines > 0) {
      UnfinishedLoad mark = new UnfinishedLoad(directory, dataset);
      mark.begin();
      to.load(dataset, node, loaded);
      mark.end();
    }
    try (BufferedReader in = Files.newBufferedReader(inserted)) {
      List<String> records = new ArrayList<>();
      int characters = 0;
      for (String record = next(in); !record.isEmpty(); record = next(in)) {
        records.add(record);
        characters += record.length();
        if (records.size() == INSERTED_RECORDS || characters >= INSERTED_CHARACTERS) {
          to.insert(dataset, records);
          records.clear();
          characters = 0;
        }
      }
      if (!records.isEmpty()) {
        to.insert(dataset, records);
      }
    } catch (IOException | UncheckedIOException e) {
      throw CommandException.environment("cannot read " + inserted + ": " + e, e);
    }
  }

  private static void line(Writer out, String text) {
    try {
      out.append(text).append('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Empty at the end. */
  private static String next(BufferedReader in) {
    try {
      String line = in.readLine();
      return line == null ? "" : line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static CommandException cannotWrite(Path file, Exception cause) {
    return CommandException.environment(
        "cannot write " + file + "; the dataset was not dropped or loaded: " + cause, cause);
  }

  @Override
  public void close() {
    hook.close();
    delete();
  }

  private void delete() {
    for (Path file : List.of(plain, loaded, inserted)) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        Progress.say("cannot delete " + file + ": " + e);
      }
    }
  }
}
