package org.loam.workbench.bench;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.ChildJvm;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Progress;

/**
 * One engine in a process of its own, which inherits no heap, compiled code or native memory. The
 * child is an {@link EngineMain}.
 *
 * @param <M> its messages
 */
public final class EngineProcess<M extends EngineProcess.Message> {
  /** Heap enough for an engine with many trees or tables, since data live outside of it. */
  public static final int LARGE_HEAP_MIB = 512;

  /** Heap enough for an engine with one tree. */
  static final int HEAP_MIB = 256;

  private final String name;
  private final List<String> notes;
  private final Progress progress;
  private final Consumer<M> results;
  private String part = "start";

  /** A line from the child; all but one of its parts are null. */
  public interface Message {
    /** The part of the measurement that begins. */
    @Nullable String began();

    /** For the reader of the figures. */
    @Nullable String note();

    /** Why the measurement ends without a result. */
    @Nullable String failure();
  }

  /**
   * A process that is not started yet.
   *
   * @param name for the progress and the notes
   * @param notes takes what a reader should know
   * @param results takes each message, for its results
   */
  public EngineProcess(String name, List<String> notes, Progress progress, Consumer<M> results) {
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
   * @param heapMib its heap, in MiB
   * @throws CommandException if the engine failed
   */
  public void run(Class<?> main, Object spec, Class<M> messageType, int heapMib) {
    int exitCode =
        ChildJvm.run(
            main,
            List.of("-Xms" + heapMib + "m", "-Xmx" + heapMib + "m", "-XX:+UseParallelGC"),
            List.of(Json.line(spec)),
            line -> accept(Json.read(line, messageType)));
    if (exitCode != ExitCode.OK) {
      throw failed("ended with exit code " + exitCode);
    }
  }

  /** The error that it did not do what it should. */
  public CommandException failed(String what) {
    return CommandException.failed(name + " " + what + " during " + part);
  }

  private void accept(M message) {
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
    results.accept(message);
  }
}
