package org.loam.workbench.asterixdb.cluster;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Progress;

/** Runs Maven. */
final class MavenRun {
  private static final int SHOWN_LINES = 20;

  private MavenRun() {}

  /**
   * Runs it to its end.
   *
   * @param log takes all that it says
   * @param failure what it means if it fails
   * @throws CommandException if there is none, or it fails, with its last words
   */
  static void run(ProcessBuilder maven, Path log, String failure) throws IOException {
    Process process;
    try {
      process =
          maven
              .redirectErrorStream(true)
              .redirectInput(Redirect.from(new File("/dev/null")))
              .redirectOutput(log.toFile())
              .start();
    } catch (IOException e) {
      throw CommandException.environment(
          "no Maven found (" + e.getMessage() + "); install Maven 3.8 or newer", e);
    }
    int exitCode;
    try {
      exitCode = process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw CommandException.environment("interrupted while Maven was running", e);
    }
    if (exitCode != 0) {
      List<String> lines =
          new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList();
      lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()).forEach(Progress::say);
      throw CommandException.environment(failure + "; all of its output is in " + log);
    }
  }
}
