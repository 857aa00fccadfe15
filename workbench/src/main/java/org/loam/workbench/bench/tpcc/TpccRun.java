package org.loam.workbench.bench.tpcc;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.ChildJvm;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Progress;

/** One engine in a process of its own, which inherits no heap, compiled code or native memory. */
final class TpccRun {
  /**
   * Heap enough for any engine, since data live outside; the collector with the cheapest barriers.
   */
  private static final List<String> JVM_OPTIONS =
      List.of("-Xms512m", "-Xmx512m", "-XX:+UseParallelGC");

  private final String name;
  private final List<String> notes;
  private final Progress progress;
  private String part = "start";
  private @Nullable TpccRow row;

  private TpccRun(String name, List<String> notes, Progress progress) {
    this.name = name;
    this.notes = notes;
    this.progress = progress;
  }

  /**
   * Runs it.
   *
   * @param name for the progress and the notes
   * @param notes takes what a reader should know
   * @throws CommandException if the engine failed, or if a condition does not hold
   */
  static TpccRow of(TpccSpec spec, String name, List<String> notes, Progress progress) {
    return new TpccRun(name, notes, progress).run(spec);
  }

  private TpccRow run(TpccSpec spec) {
    int exitCode =
        ChildJvm.run(
            TpccMain.class,
            JVM_OPTIONS,
            List.of(Json.line(spec)),
            line -> accept(Json.read(line, TpccMessage.class)));
    if (row == null) {
      throw CommandException.failed(name + " ended with exit code " + exitCode + " during " + part);
    }
    return row;
  }

  private void accept(TpccMessage message) {
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
    if (message.row() != null) {
      row = message.row();
    }
  }
}
