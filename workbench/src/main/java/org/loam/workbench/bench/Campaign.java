package org.loam.workbench.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.bench.KvReport.RoundResult;
import org.loam.workbench.bench.RoundMessage.Summary;
import org.loam.workbench.console.ChildJvm;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Progress;

/**
 * Rounds one after another, engines in turn (A B A B ...), so that a slow minute of the machine
 * meets all of them. Each round is a process of its own, so that no round inherits the heap, the
 * compiled code or the native memory of another.
 */
final class Campaign {
  /** Heap enough for any engine, as data are off-heap; the collector with the cheapest barriers. */
  private static final List<String> JVM_OPTIONS =
      List.of("-Xms256m", "-Xmx256m", "-XX:+UseParallelGC");

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
   * @throws CommandException if a round failed
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
    String name = engine + ", round " + round + "/" + rounds;
    Listener listener = new Listener(name, progress);
    int exitCode =
        ChildJvm.run(
            RoundMain.class,
            JVM_OPTIONS,
            List.of(Json.line(spec)),
            line -> listener.accept(Json.read(line, RoundMessage.class)));
    if (listener.summary == null) {
      throw CommandException.failed(
          name + " ended with exit code " + exitCode + " during " + listener.phase);
    }
    return new RoundResult(engine, round, spec.data(), listener.summary, listener.rows);
  }

  /** Takes the messages of one child. */
  private final class Listener {
    private final String name;
    private final Progress progress;
    private final List<Row> rows = new ArrayList<>();
    private String phase = "start";
    private @Nullable Summary summary;

    Listener(String name, Progress progress) {
      this.name = name;
      this.progress = progress;
    }

    void accept(RoundMessage message) {
      if (message.began() != null) {
        phase = message.began();
        progress.detail(name + ": " + phase);
      }
      if (message.row() != null) {
        rows.add(message.row());
        progress.step(1);
      }
      if (message.note() != null) {
        notes.add(name + ": " + message.note());
      }
      if (message.failure() != null) {
        throw CommandException.failed(name + ", " + phase + ": " + message.failure());
      }
      if (message.summary() != null) {
        summary = message.summary();
      }
    }
  }
}
