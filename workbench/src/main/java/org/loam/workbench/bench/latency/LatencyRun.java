package org.loam.workbench.bench.latency;

import java.util.ArrayList;
import java.util.List;
import org.loam.workbench.console.ChildJvm;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Progress;

/** One engine in a process of its own, which inherits no heap, compiled code or native memory. */
public final class LatencyRun {
  /** Enough for any engine, since data live outside; the collector with the cheapest barriers. */
  private static final List<String> JVM_OPTIONS =
      List.of("-Xms512m", "-Xmx512m", "-XX:+UseParallelGC");

  private final String name;
  private final List<String> notes;
  private final Progress progress;
  private String part = "start";
  private final List<LatencyResult> results = new ArrayList<>();

  private LatencyRun(String name, List<String> notes, Progress progress) {
    this.name = name;
    this.notes = notes;
    this.progress = progress;
  }

  /** What follows the name of a run in the progress and in notes, if there are several rounds. */
  public static String suffix(int round, int rounds) {
    return rounds == 1 ? "" : ", round " + round + "/" + rounds;
  }

  /**
   * Runs the phases.
   *
   * @param name for the progress and the notes
   * @param notes takes what a reader should know
   * @throws CommandException if the engine failed
   */
  public static LatencyResult of(
      LatencySpec spec, String name, List<String> notes, Progress progress) {
    return allOf(spec, name, notes, progress).get(0);
  }

  /** Runs the phases of several mixes of transactions, with parameters as {@link #of}. */
  public static List<LatencyResult> allOf(
      LatencySpec spec, String name, List<String> notes, Progress progress) {
    return new LatencyRun(name, notes, progress).run(spec);
  }

  private List<LatencyResult> run(LatencySpec spec) {
    int exitCode =
        ChildJvm.run(
            LatencyMain.class,
            JVM_OPTIONS,
            List.of(Json.line(spec)),
            line -> accept(Json.read(line, LatencyMessage.class)));
    if (exitCode != ExitCode.OK || results.isEmpty()) {
      throw CommandException.failed(name + " ended with exit code " + exitCode + " during " + part);
    }
    return results;
  }

  private void accept(LatencyMessage message) {
    if (message.began() != null) {
      part = message.began();
      progress.detail(name + ": " + part);
    }
    if (message.note() != null) {
      notes.add(name + ": " + message.note());
    }
    if (message.failure() != null) {
      throw CommandException.failed(name + ", " + part + ": " + message.failure());
    }
    if (message.result() != null) {
      results.add(message.result());
    }
  }
}
