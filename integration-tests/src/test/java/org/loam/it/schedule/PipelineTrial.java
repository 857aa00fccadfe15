package org.loam.it.schedule;

import org.loam.common.sim.Simulation;

/**
 * A tree whose write memory has a pipeline of runs, which a thread merges: their indexes alone, or
 * with their data. The clients are those of {@link LevelsTrial}; when the log is too long, all of
 * the tree is flushed, beside a merge.
 */
public final class PipelineTrial extends ScheduleTrial {
  /** To be run in instrumented code. */
  public PipelineTrial() {
    super(PipelineTrial::world);
  }

  static void world(Simulation sim) {
    LevelsTrial.world(sim, TinyEngine::openPipelined);
  }
}
