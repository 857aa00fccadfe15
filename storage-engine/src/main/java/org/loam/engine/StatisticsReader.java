package org.loam.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.loam.common.mem.PagePool;
import org.loam.engine.EngineStatistics.LevelStatistics;
import org.loam.engine.EngineStatistics.Log;
import org.loam.engine.EngineStatistics.Memory;
import org.loam.engine.EngineStatistics.TreeStatistics;
import org.loam.engine.EngineStatistics.Work;
import org.loam.lsm.LsmTree;
import org.loam.lsm.version.DiskVersion;
import org.loam.lsm.version.SortedRun;

/** Collects an engine's statistics. */
final class StatisticsReader {
  private StatisticsReader() {}

  static EngineStatistics read(Kernel kernel, List<DatasetState> datasets) {
    List<TreeStatistics> trees = new ArrayList<>();
    for (LsmTree tree : kernel.trees.list()) {
      trees.add(
          new TreeStatistics(
              tree.name(),
              tree.memoryBytes(),
              levels(tree.disk()),
              kernel.trees.mergeOptions(tree)));
    }
    trees.sort(Comparator.comparing(TreeStatistics::name));
    long end = kernel.log.endLsn();
    return new EngineStatistics(
        memory(kernel),
        kernel.cache.statistics(),
        new Log(
            end,
            kernel.log.durableLsn(),
            kernel.log.lengthBytes(),
            end - kernel.committer.startLsn()),
        new Work(
            kernel.installer.flushes(),
            kernel.installer.flushedBytes(),
            kernel.installer.merges(),
            kernel.installer.mergedBytes(),
            kernel.installer.loads(),
            kernel.installer.loadedBytes()),
        kernel.stalls.snapshot(kernel.env.clock().nanoTime()),
        trees,
        datasets.stream().map(DatasetState::statistics).toList());
  }

  private static Memory memory(Kernel kernel) {
    long pageBytes = kernel.pool.pageBytes();
    PagePool.Quota write = kernel.writeQuota;
    PagePool.Quota cache = kernel.cacheQuota;
    return new Memory(
        kernel.config().memory().totalBytes(),
        write.usedPages() * pageBytes,
        write.targetPages() * pageBytes,
        cache.usedPages() * pageBytes,
        cache.targetPages() * pageBytes,
        kernel.fixedBytes);
  }

  private static List<LevelStatistics> levels(DiskVersion disk) {
    List<LevelStatistics> levels = new ArrayList<>();
    int groups = 0;
    int groupTables = 0;
    long groupBytes = 0;
    long groupEntries = 0;
    int number = 0;
    for (int i = 0; i < disk.runCount(); i++) {
      SortedRun run = disk.run(i);
      long bytes = 0;
      long entries = 0;
      for (int t = 0; t < run.size(); t++) {
        bytes += run.table(t).component().bytes();
        entries += run.table(t).table().meta().entryCount();
      }
      if (run.level() == 0) {
        groups++;
        groupTables += run.size();
        groupBytes += bytes;
        groupEntries += entries;
      } else {
        levels.add(new LevelStatistics(++number, 1, run.size(), bytes, entries));
      }
    }
    if (groups > 0) {
      levels.add(0, new LevelStatistics(0, groups, groupTables, groupBytes, groupEntries));
    }
    return levels;
  }
}
