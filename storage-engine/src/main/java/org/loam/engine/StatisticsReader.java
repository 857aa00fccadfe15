package org.loam.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.StorageException;
import org.loam.common.mem.PagePool;
import org.loam.engine.EngineStatistics.Bucket;
import org.loam.engine.EngineStatistics.DatasetStatistics;
import org.loam.engine.EngineStatistics.LevelStatistics;
import org.loam.engine.EngineStatistics.Log;
import org.loam.engine.EngineStatistics.Memory;
import org.loam.engine.EngineStatistics.MoveOutcome;
import org.loam.engine.EngineStatistics.Times;
import org.loam.engine.EngineStatistics.TreeStatistics;
import org.loam.engine.EngineStatistics.Tuner;
import org.loam.engine.EngineStatistics.TunerDecision;
import org.loam.engine.EngineStatistics.Work;
import org.loam.engine.EngineStatistics.WriteUse;
import org.loam.engine.commit.WritePath;
import org.loam.engine.dataset.DatasetCounters;
import org.loam.engine.dataset.DatasetState;
import org.loam.engine.open.EngineMemory;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.operation.Latencies;
import org.loam.engine.operation.OperationContext;
import org.loam.engine.tree.Installer;
import org.loam.engine.tree.TreeMerging;
import org.loam.engine.tuning.TunerTask;
import org.loam.log.CommitLog;
import org.loam.lsm.LsmTree;
import org.loam.lsm.TreeState;
import org.loam.lsm.version.DiskVersion;
import org.loam.lsm.version.SortedRun;
import org.loam.scheduler.work.BackgroundWorkers;
import org.loam.tuner.policy.Decision;

/** Collects an engine's statistics. */
final class StatisticsReader {
  private StatisticsReader() {}

  static EngineStatistics read(OpenEngine open) {
    OperationContext context = open.reads().operations().enter();
    try {
      return readInside(open);
    } finally {
      open.reads().operations().exit(context);
    }
  }

  private static EngineStatistics readInside(OpenEngine open) {
    List<TreeStatistics> trees = new ArrayList<>();
    for (LsmTree tree : open.trees().list()) {
      TreeMerging merging = open.trees().merging(tree);
      // Once: a flush or a merge may replace it meanwhile.
      DiskVersion disk = tree.disk();
      LsmTree.MemoryUse use = tree.memoryUse();
      TreeState.Aims aims = tree.aims();
      List<LevelStatistics> levels = levels(disk, aims.targetBytes());
      trees.add(
          new TreeStatistics(
              tree.name(),
              use.bytes(),
              writeUse(List.of(use)),
              levels,
              merging == null ? null : MergeOptions.of(merging),
              levels.stream().mapToLong(LevelStatistics::excessBytes).sum(),
              new EngineStatistics.L0(disk.l0Depth(), aims.l0Due()),
              tree.mergedInMemoryBytes()));
    }
    trees.sort(Comparator.comparing(TreeStatistics::name));
    CommitLog log = open.storage().log();
    long now = open.storage().env().clock().nanoTime();
    // Before the end, which is never less.
    long durable = log.durableLsn();
    long end = log.endLsn();
    Installer installer = open.installer();
    BackgroundWorkers.OpenWork merging = open.openWork();
    return new EngineStatistics(
        memory(open),
        open.memory().cache().statistics(),
        new Log(end, durable, log.lengthBytes(), log.writtenBytes()),
        new Work(
            installer.flushes(),
            installer.flushedBytes(),
            installer.merges(),
            installer.mergedBytes(),
            installer.loads(),
            installer.loadedBytes(),
            merging.merges(),
            merging.remainingInputBytes()),
        open.writes().stalls().snapshot(now),
        trees,
        open.datasets().states().stream().map(StatisticsReader::dataset).toList(),
        times(open.latencies(), now - open.tuner().openedNanos()));
  }

  private static Times times(Latencies latencies, long sinceOpenNanos) {
    List<Bucket> reads = new ArrayList<>();
    List<Bucket> writes = new ArrayList<>();
    latencies.forEachRead((below, count) -> reads.add(new Bucket(below, count)));
    latencies.forEachWrite((below, count) -> writes.add(new Bucket(below, count)));
    return new Times(sinceOpenNanos, Latencies.ONE_IN, reads, writes);
  }

  static EngineHealth health(OpenEngine open) {
    WritePath writes = open.writes();
    List<Path> full = writes.space().full();
    StorageFiles files = open.storage().env().files();
    List<EngineHealth.Disk> disks =
        open.storage().directories().values().stream()
            .map(directory -> disk(files, directory, full.contains(directory)))
            .toList();
    Throwable fence = writes.latch().fenceCause();
    StorageException ofLog = open.storage().log().segmentFault();
    return new EngineHealth(
        fence == null ? null : fence.toString(),
        ofLog == null ? null : ofLog.getMessage(),
        writes.faults().lastOfFlushes(),
        writes.faults().lastOfMerges(),
        disks);
  }

  private static EngineHealth.Disk disk(StorageFiles files, Path directory, boolean isFull) {
    try {
      long free = files.usableBytes(directory);
      return new EngineHealth.Disk(directory.toString(), free, isFull, null);
    } catch (StorageException e) {
      return new EngineHealth.Disk(directory.toString(), -1, isFull, e.toString());
    }
  }

  private static DatasetStatistics dataset(DatasetState state) {
    DatasetCounters counters = state.counters();
    return new DatasetStatistics(
        state.name(),
        counters.writes(),
        counters.recordReads(),
        counters.indexEntries(),
        counters.recordsFetched());
  }

  private static Memory memory(OpenEngine open) {
    EngineMemory memory = open.memory();
    EngineConfig config = open.settings().config();
    TunerTask tuner = open.tuner();
    long pageBytes = memory.pool().pageBytes();
    List<PagePool.Use> uses = memory.pool().uses(memory.writeQuota(), memory.cacheQuota());
    PagePool.Use write = uses.get(0);
    PagePool.Use cache = uses.get(1);
    // Once: a cycle may end meanwhile.
    TunerTask.Cycle last = tuner.lastCycle();
    return new Memory(
        config.memory().totalBytes(),
        write.usedPages() * pageBytes,
        write.targetPages() * pageBytes,
        cache.usedPages() * pageBytes,
        cache.targetPages() * pageBytes,
        memory.fixedBytes(),
        writeUse(open.trees().list().stream().map(LsmTree::memoryUse).toList()),
        new Tuner(
            config.tuner().mode().name(),
            memory.arbiter().ownBytes(),
            memory.arbiter().targetBytes(),
            tuner.sources().watches().pages().ghostHits(),
            last == null ? null : last.unit().name(),
            last == null ? null : decision(last),
            last == null ? null : outcome(last.decision().lastMove())));
  }

  private static WriteUse writeUse(List<LsmTree.MemoryUse> uses) {
    return new WriteUse(
        uses.stream().mapToLong(LsmTree.MemoryUse::liveBytes).sum(),
        uses.stream().mapToLong(LsmTree.MemoryUse::supersededBytes).sum(),
        uses.stream().mapToLong(LsmTree.MemoryUse::frozenBytes).sum(),
        uses.stream().mapToLong(LsmTree.MemoryUse::keys).sum());
  }

  private static TunerDecision decision(TunerTask.Cycle cycle) {
    Decision decision = cycle.decision();
    return new TunerDecision(
        cycle.number(),
        decision.fromBytes(),
        decision.wantedBytes(),
        decision.toBytes(),
        decision.rule().name(),
        decision.rule().meaning(),
        decision.estimate().cost(),
        decision.estimate().predictedGain());
  }

  private static @Nullable MoveOutcome outcome(Decision.@Nullable Outcome move) {
    return move == null ? null : new MoveOutcome(move.predictedGain(), move.observedGain());
  }

  private static List<LevelStatistics> levels(DiskVersion disk, IntToLongFunction targets) {
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
        entries += run.table(t).table().meta().counts().entries();
      }
      if (run.level() == 0) {
        groups++;
        groupTables += run.size();
        groupBytes += bytes;
        groupEntries += entries;
      } else {
        long target = targets.applyAsLong(run.level());
        levels.add(new LevelStatistics(++number, 1, run.size(), bytes, entries, target));
      }
    }
    if (groups > 0) {
      levels.add(0, new LevelStatistics(0, groups, groupTables, groupBytes, groupEntries, 0));
    }
    return levels;
  }
}
