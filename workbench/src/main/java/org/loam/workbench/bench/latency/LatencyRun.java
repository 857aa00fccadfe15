package org.loam.workbench.bench.latency;

import java.util.ArrayList;
import java.util.List;
import org.loam.workbench.bench.EngineProcess;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Progress;

/** The phases of one engine, in a process of its own. */
public final class LatencyRun {
  private LatencyRun() {}

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

  /** The heap of the process, in MiB. */
  public static int heapMib(LatencySpec spec) {
    return EngineProcess.heapMib(
        spec.subject().peer(), spec.data().memoryBytes(), EngineProcess.LARGE_HEAP_MIB);
  }

  /** Runs the phases of several mixes or stages, with parameters as {@link #of}. */
  public static List<LatencyResult> allOf(
      LatencySpec spec, String name, List<String> notes, Progress progress) {
    List<LatencyResult> results = new ArrayList<>();
    EngineProcess<LatencyResult> process = new EngineProcess<>(name, notes, progress, results::add);
    process.run(LatencyMain.class, spec, LatencyResult.class, heapMib(spec));
    if (results.isEmpty()) {
      throw process.failed("has no result");
    }
    return results;
  }
}
