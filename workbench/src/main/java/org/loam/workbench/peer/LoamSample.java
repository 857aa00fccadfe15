package org.loam.workbench.peer;

import java.util.ArrayList;
import java.util.List;
import org.loam.engine.EngineStatistics;
import org.loam.engine.EngineStatistics.LevelStatistics;
import org.loam.engine.EngineStatistics.TreeStatistics;

/** What Loam's statistics say, under the names that all engines share. */
final class LoamSample {
  private LoamSample() {}

  static Sample of(EngineStatistics statistics) {
    EngineStatistics.Memory memory = statistics.memory();
    EngineStatistics.Work work = statistics.work();
    Sample sample =
        new Sample()
            .gauge(Sample.WRITE_MEMORY_USED_BYTES, memory.writeUsedBytes())
            .gauge(Sample.WRITE_MEMORY_LIVE_BYTES, memory.writeUse().liveBytes())
            .gauge(Sample.WRITE_MEMORY_LEAVING_BYTES, memory.writeUse().leavingBytes())
            .gauge(Sample.WRITE_MEMORY_KEYS, memory.writeUse().keys())
            .gauge(Sample.WRITE_MEMORY_TARGET_BYTES, memory.writeTargetBytes())
            .gauge(Sample.WRITE_MEMORY_OWN_BYTES, memory.tuner().writeBytes())
            .gauge(Sample.WRITE_MEMORY_GOAL_BYTES, memory.tuner().targetBytes())
            .gauge(Sample.OPEN_MERGES, work.openMerges())
            .gauge(Sample.OPEN_MERGE_BYTES, work.openMergeBytes())
            .counter(Sample.FLUSHED_BYTES, work.flushedBytes())
            .counter(Sample.MERGED_BYTES, work.mergedBytes())
            .counter(Sample.LOGGED_BYTES, statistics.log().writtenBytes());
    addTrees(sample, statistics.trees());
    statistics
        .stalls()
        .totals()
        .forEach(
            (cause, totals) ->
                sample.counter(Sample.STALL_MILLIS + cause.name(), totals.nanos() / 1e6));
    statistics
        .cache()
        .hits()
        .forEach((access, count) -> sample.counter(Sample.HITS + access.name(), count));
    statistics
        .cache()
        .misses()
        .forEach((access, count) -> sample.counter(Sample.MISSES + access.name(), count));
    return sample;
  }

  private static void addTrees(Sample sample, List<TreeStatistics> trees) {
    List<Sample.L0> l0 = new ArrayList<>();
    long owedBytes = 0;
    double fullness = 0;
    for (TreeStatistics tree : trees) {
      Sample.L0 ofTree = l0(tree);
      l0.add(ofTree);
      owedBytes += (long) ofTree.bytes() + tree.excessBytes();
      for (LevelStatistics level : tree.levels()) {
        if (level.targetBytes() > 0) {
          fullness = Math.max(fullness, (double) level.bytes() / level.targetBytes());
        }
      }
    }
    sample.l0(l0).gauge(Sample.OWED_BYTES, owedBytes).gauge(Sample.LEVEL_FULLNESS_MAX, fullness);
  }

  private static Sample.L0 l0(TreeStatistics tree) {
    return tree.levels().stream()
        .filter(level -> level.level() == 0)
        .findFirst()
        .map(level -> new Sample.L0(tree.l0().depth(), level.bytes()))
        .orElse(new Sample.L0(0, 0));
  }
}
