package org.loam.workbench.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.loam.workbench.bench.KvReport.RoundResult;
import org.loam.workbench.bench.RoundPart.Summary;
import org.loam.workbench.console.Progress;

/**
 * Rounds one after another, engines in turn (A B A B ...), so that a slow minute of the machine
 * meets all of them. Each round is a process of its own: an {@link EngineProcess}.
 */
final class Campaign {
  private final String title;
  private final Map<String, Subject> subjects;
  private final int rounds;
  private final List<RoundSpec> templates;
  private final List<RoundResult> results = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * @param title of the benchmark
   * @param subjects by the name that their results have, in the order of their turns
   * @param templates one after the other; the subject is filled in for each round
   */
  Campaign(String title, Map<String, Subject> subjects, int rounds, List<RoundSpec> templates) {
    this.title = title;
    this.subjects = subjects;
    this.rounds = rounds;
    this.templates = List.copyOf(templates);
  }

  List<RoundResult> results() {
    return results;
  }

  List<String> notes() {
    return notes;
  }

  /**
   * Runs everything.
   *
   * @throws org.loam.workbench.console.CommandException if a round failed
   */
  void run() {
    long phases = templates.stream().mapToLong(RoundSpec::phaseCount).sum();
    try (Progress progress = Progress.start(title, phases * rounds * subjects.size())) {
      for (RoundSpec template : templates) {
        for (int round = 1; round <= rounds; round++) {
          for (Map.Entry<String, Subject> subject : subjects.entrySet()) {
            RoundSpec spec = template.with(subject.getValue());
            results.add(runRound(subject.getKey(), spec, round, progress));
          }
        }
      }
    }
  }

  private RoundResult runRound(String engine, RoundSpec spec, int round, Progress progress) {
    List<Row> rows = new ArrayList<>();
    List<Summary> summaries = new ArrayList<>();
    EngineProcess<RoundPart> process =
        new EngineProcess<>(
            engine + ", round " + round + "/" + rounds,
            notes,
            progress,
            part -> {
              if (part.row() != null) {
                rows.add(part.row());
                progress.step(1);
              }
              if (part.summary() != null) {
                summaries.add(part.summary());
              }
            });
    int heapMib =
        EngineProcess.heapMib(
            spec.subject().peer(), spec.data().memoryBytes(), EngineProcess.HEAP_MIB);
    process.run(RoundMain.class, spec, RoundPart.class, heapMib);
    if (summaries.isEmpty()) {
      throw process.failed("has no result");
    }
    return new RoundResult(engine, round, spec.data(), summaries.get(0), rows);
  }
}
