package org.loam.it.model;

import java.util.List;
import org.loam.engine.Engine;
import org.loam.engine.EngineStatistics;
import org.loam.engine.EngineStatistics.TunerDecision;

/** An engine and a model of it, on which operations are played. */
interface EngineRun {
  /** Plays all, compares everything once more, and closes. */
  void play(List<Operation> operations);

  /** What the engine did so far, without what it has done since it was opened. */
  Work work();

  /** The engine of a run that failed, to be closed. */
  Engine engine();

  /** Counts what went on in the background. Several runs may be added at a time. */
  final class Work {
    private long flushes;
    private long merges;
    private long decisions;

    void note(EngineStatistics statistics) {
      flushes += statistics.work().flushes();
      merges += statistics.work().merges();
      TunerDecision last = statistics.memory().tuner().last();
      decisions += last == null ? 0 : last.cycle();
    }

    synchronized void add(Work other) {
      flushes += other.flushes;
      merges += other.merges;
      decisions += other.decisions;
    }

    long flushes() {
      return flushes;
    }

    long merges() {
      return merges;
    }

    /** Of the memory tuner. */
    long decisions() {
      return decisions;
    }
  }
}
