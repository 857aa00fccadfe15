package org.loam.workbench.bench;

import java.util.List;
import java.util.function.Consumer;
import org.loam.workbench.console.ChildJvm;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Progress;

/**
 * One engine in a process of its own, which inherits no heap, compiled code or native memory. The
 * child is an {@link EngineMain}.
 *
 * @param <R> what it measures
 */
public final class EngineProcess<R> {
  /** Heap enough for an engine with many trees or tables, since data live outside of it. */
  public static final int LARGE_HEAP_MIB = 512;

  /** Heap enough for an engine with one tree. */
  static final int HEAP_MIB = 256;

  private final String name;
  private final List<String> notes;
  private final Progress progress;
  private final Consumer<R> results;
  private String part = "start";

  /**
   * A process that is not started yet.
   *
   * @param name for the progress and the notes
   * @param notes takes what a reader should know
   * @param results takes each result
   */
  public EngineProcess(String name, List<String> notes, Progress progress, Consumer<R> results) {
    this.name = name;
    this.notes = notes;
    this.progress = progress;
    this.results = results;
  }

  /**
   * Runs it to its end, with the collector that has the cheapest barriers.
   *
   * @param main calls {@link EngineMain#run}
   * @param spec its argument
   * @param resultType type of its results
   * @param heapMib its heap, in MiB
   * @throws CommandException if the engine failed
   */
  public void run(Class<?> main, Object spec, Class<R> resultType, int heapMib) {
    int exitCode =
        ChildJvm.run(
            main,
            List.of("-Xms" + heapMib + "m", "-Xmx" + heapMib + "m", "-XX:+UseParallelGC"),
            List.of(Json.line(spec)),
            line -> accept(Json.read(line, EngineMessage.class, resultType)));
    if (exitCode != ExitCode.OK) {
      throw failed("ended with exit code " + exitCode);
    }
  }

  /** The error that it did not do what it should. */
  public CommandException failed(String what) {
    return CommandException.failed(name + " " + what + " during " + part);
  }

  private void accept(EngineMessage<R> message) {
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
      results.accept(message.result());
    }
  }
}
