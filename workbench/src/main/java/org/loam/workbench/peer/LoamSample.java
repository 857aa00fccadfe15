package org.loam.workbench.peer;

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
            .gauge(Sample.WRITE_MEMORY_TARGET_BYTES, memory.writeTargetBytes())
            .gauge(Sample.OPEN_MERGES, work.openMerges())
            .gauge(Sample.OPEN_MERGE_BYTES, work.openMergeBytes())
            .counter(Sample.FLUSHED_BYTES, work.flushedBytes())
            .counter(Sample.MERGED_BYTES, work.mergedBytes())
            .counter(Sample.LOGGED_BYTES, statistics.log().writtenBytes());
    addL0(sample, statistics.trees());
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

  private static void addL0(Sample sample, List<TreeStatistics> trees) {
    long groupsMax = 0;
    long groupsSum = 0;
    long bytesMax = 0;
    long bytesSum = 0;
    long excessBytes = 0;
    for (TreeStatistics tree : trees) {
      excessBytes += tree.excessBytes();
      for (LevelStatistics level : tree.levels()) {
        if (level.level() == 0) {
          groupsMax = Math.max(groupsMax, level.groups());
          groupsSum += level.groups();
          bytesMax = Math.max(bytesMax, level.bytes());
          bytesSum += level.bytes();
        }
      }
    }
    sample
        .gauge(Sample.L0_GROUPS_MAX, groupsMax)
        .gauge(Sample.L0_GROUPS_SUM, groupsSum)
        .gauge(Sample.L0_BYTES_MAX, bytesMax)
        .gauge(Sample.L0_BYTES_SUM, bytesSum)
        .gauge(Sample.OWED_BYTES, bytesSum + excessBytes);
  }
}
