package org.loam.workbench.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Replaces files at once: a reader finds the old file or the new one, never a part. */
public final class WholeFile {
  private WholeFile() {}

  /** What is done to a new file before others find it. */
  @FunctionalInterface
  public interface Finish {
    /** Finishes it. */
    void finish(Path part) throws IOException;
  }

  /**
   * Writes a file.
   *
   * @throws IOException if it cannot be written; the old file is as it was
   */
  public static void write(Path file, byte[] content) throws IOException {
    write(file, content, part -> {});
  }

  /** As the other method. The new file has another name, ending in {@code .part}, until then. */
  public static void write(Path file, byte[] content, Finish finish) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      Files.write(part, content);
      finish.finish(part);
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      // It is there still if the disk has no room for it.
      Files.deleteIfExists(part);
    }
  }
}
