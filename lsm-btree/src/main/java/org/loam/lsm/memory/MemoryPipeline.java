package org.loam.lsm.memory;

import java.util.List;
import org.loam.lsm.memory.MemoryLeveling.Pipeline;
import org.loam.lsm.memory.MemoryLeveling.Run;

/**
 * Which runs of a pipeline in memory are merged (Accordion, Bortnikov et al., PVLDB 11(12), 2018;
 * MemoryWalls §6.2). A pipeline has, one behind the other, what was the active component of its
 * tree. Pure functions of the runs.
 */
public final class MemoryPipeline {
  private MemoryPipeline() {}

  /**
   * The next runs that one takes the place of: all, if there are too many; else one that is to be
   * flat.
   *
   * @return newest first; none if all is as it should be
   */
  public static <R extends Run> List<R> next(List<R> newestFirst, Pipeline pipeline) {
    if (pipeline.isDue(newestFirst.size())) {
      return newestFirst;
    }
    return newestFirst.stream().filter(run -> !run.isFlat()).limit(1).toList();
  }
}
