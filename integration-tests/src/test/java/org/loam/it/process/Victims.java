package org.loam.it.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;
import org.loam.common.config.EngineConfig;
import org.loam.workbench.console.ChildJvm;

/** Starts writers in processes of their own, listens, and kills them. */
final class Victims {
  private static final List<String> JVM_OPTIONS =
      List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

  private Victims() {}

  /**
   * Lets a process write and kills it with the signal that cannot be caught.
   *
   * @param config that the process opens the database with
   * @param lines after so many acknowledgements; 0 while it opens the database
   * @param acknowledged batches of each writer so far; brought up to date
   */
  static void writeAndKill(Path directory, EngineConfig config, int lines, long[] acknowledged)
      throws IOException, InterruptedException {
    Process child =
        ChildJvm.start(
            WriterMain.class, JVM_OPTIONS, List.of(directory.toString(), config.toYaml()));
    int seen = 0;
    try (BufferedReader pipe =
        new BufferedReader(new InputStreamReader(child.getInputStream(), US_ASCII))) {
      for (String line = pipe.readLine(); line != null; line = pipe.readLine()) {
        if (!line.equals("opening")) {
          seen++;
          note(line, acknowledged);
        }
        if (seen >= lines) {
          // Through the handle: Process.destroyForcibly would close the pipe we still read.
          child.toHandle().destroyForcibly();
        }
      }
    }
    int exitCode = child.waitFor();
    if (seen < lines || exitCode != 137) {
      throw new AssertionError(
          "the writer was not killed: exit code " + exitCode + " after " + seen + " batches");
    }
  }

  private static void note(String line, long[] acknowledged) {
    int blank = line.indexOf(' ');
    int writer = Integer.parseInt(line.substring(0, blank));
    long batch = Long.parseLong(line.substring(blank + 1));
    if (batch != acknowledged[writer] + 1) {
      throw new AssertionError("batch " + batch + " after " + acknowledged[writer]);
    }
    acknowledged[writer] = batch;
  }
}
