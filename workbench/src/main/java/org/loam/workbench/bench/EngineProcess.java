package org.loam.workbench.bench;

import java.util.List;
import java.util.function.Consumer;
import org.loam.workbench.console.ChildJvm;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Machine;
import org.loam.workbench.console.Progress;
import org.loam.workbench.peer.Peer;

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
   * @throws CommandException if the engine failed, or the machine has less memory than the heap
   */
  public void run(Class<?> main, Object spec, Class<R> resultType, int heapMib) {
    long machineMib = Machine.totalMemoryBytes() >> 20;
    if (heapMib > machineMib) {
      throw CommandException.environment(
          name + " needs a heap of " + heapMib + " MiB; this machine has " + machineMib + " MiB");
    }
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

  /**
   * The heap of an engine, in MiB. One with its memory in the heap has as much there as the others
   * have outside of it, so that collections of a full heap are not measured in place of the engine.
   *
   * @param memoryBytes that engines are given
   * @param usualMib of an engine with its memory outside of the heap
   */
  public static int heapMib(Peer peer, long memoryBytes, int usualMib) {
    return peer.hasMemoryInHeap() ? usualMib + Math.toIntExact(memoryBytes >> 20) : usualMib;
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
