package org.loam.workbench.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel tells of a process, below {@code /proc}. */
public final class ProcessFile {
  private ProcessFile() {}

  /**
   * A number of a file that has a name and a value on each line.
   *
   * @param name with its colon
   * @return -1 where the kernel does not say, or the process is gone
   */
  public static long number(Path file, String name) {
    if (!Files.isReadable(file)) {
      return -1;
    }
    try {
      for (String line : Files.readAllLines(file)) {
        if (line.startsWith(name)) {
          return Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
      }
    } catch (IOException e) {
      // It ended while we were reading.
    }
    return -1;
  }
}
