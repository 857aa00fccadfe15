package org.loam.lsm.merge;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.loam.cache.CacheCounters;
import org.loam.cache.ChunkReader;
import org.loam.lsm.disk.VersionCursor;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.merge.ComponentWrite.Job;
import org.loam.lsm.merge.ComponentWrite.Opened;
import org.loam.lsm.read.MergingCursor;
import org.loam.lsm.version.LiveTable;
import org.loam.lsm.version.SortedRun;
import org.loam.lsm.visibility.ReadRegistry;
import org.loam.scheduler.merge.Guards;
import org.loam.scheduler.work.BackgroundOperation;
import org.loam.scheduler.work.IoClass;

/** Makes flushes, merges and loads, as far as there are buffers for them. Thread-safe. */
public final class Rewriter {
  private volatile TableSettings settings;
  private final ReadRegistry reads;
  private final WorkMemory flushMemory;
  private final WorkMemory mergeMemory;
  private final WorkMemory loadMemory;
  private final CacheCounters counters;

  /**
   * @param counters counts pages read by merges
   */
  public Rewriter(
      TableSettings settings,
      ReadRegistry reads,
      WorkMemory flushMemory,
      WorkMemory mergeMemory,
      WorkMemory loadMemory,
      CacheCounters counters) {
    this.settings = settings;
    this.reads = reads;
    this.flushMemory = flushMemory;
    this.mergeMemory = mergeMemory;
    this.loadMemory = loadMemory;
    this.counters = counters;
  }

  /** How many runs a merge can read at once with the buffers it has. */
  public int maxInputRuns() {
    return mergeMemory.inputBytes() / Math.max(ChunkReader.MIN_CHUNK_BYTES, settings.pageBytes());
  }

  public TableSettings settings() {
    return settings;
  }

  /**
   * Changes what tables are like, for flushes and merges that take their first step from now on.
   */
  public void change(TableSettings changed) {
    settings = changed;
  }

  /**
   * Makes a flush, to which components are to be added.
   *
   * @param install puts the tables of all components in place in one step; throws {@link
   *     org.loam.common.error.FencedException} if it is not known whether it did, another {@link
   *     org.loam.common.error.StorageException} if it did not
   * @return null if all buffers are in use
   */
  public @Nullable FlushWrite flush(Runnable install) {
    WorkMemory.Lease lease = flushMemory.take();
    if (lease == null) {
      return null;
    }
    return new FlushWrite(
        part -> openFlush(part, lease),
        settings.forceBytes(),
        install,
        () -> flushMemory.give(lease));
  }

  private Opened openFlush(FlushPart part, WorkMemory.Lease lease) {
    // Decided once: what registers later has a read LSN at or above everything in here.
    ReadRegistry.Moment moment = reads.capture();
    long minLsn = Long.MAX_VALUE;
    long maxLsn = -1;
    for (MemoryComponent component : part.components()) {
      minLsn = Math.min(minLsn, component.minLsn());
      maxLsn = Math.max(maxLsn, component.maxLsn());
    }
    if (maxLsn >= moment.publishedEnd()) {
      throw new AssertionError(
          "flush of LSN " + maxLsn + ", published is " + moment.publishedEnd());
    }
    boolean keepLsns = moment.anyWithin(minLsn, maxLsn);
    return new Opened(
        new FlushStream(part.pieces(), moment, keepLsns),
        new TableOutput(
            part.store(), settings, lease.writer(), keepLsns, part.isLowest(), part.cuts()));
  }

  /**
   * Merges parts of runs.
   *
   * @param store of the tree
   * @param inputs newest first, at most {@link #maxInputRuns}; the tables stay until the sink has
   *     taken the result
   * @param isLowest whether nothing older overlaps the inputs, so that anti-matter goes
   * @param guards where the result is cut
   * @return null if all buffers are in use
   */
  public @Nullable BackgroundOperation merge(
      TableStore store,
      IoClass ioClass,
      List<SortedRun> inputs,
      boolean isLowest,
      Guards guards,
      ComponentSink sink) {
    if (inputs.size() > maxInputRuns()) {
      throw new AssertionError(
          "merge of " + inputs.size() + " runs, must be at most " + maxInputRuns());
    }
    WorkMemory.Lease lease = mergeMemory.take();
    if (lease == null) {
      return null;
    }
    long inputBytes = 0;
    for (SortedRun run : inputs) {
      for (int i = 0; i < run.size(); i++) {
        inputBytes += run.table(i).component().bytes();
      }
    }
    Job job =
        new Job(
            ioClass,
            inputBytes,
            () -> openMerge(store, inputs, isLowest, guards, lease),
            sink,
            () -> mergeMemory.give(lease));
    return new ComponentWrite(job, store);
  }

  private Opened openMerge(
      TableStore store,
      List<SortedRun> inputs,
      boolean isLowest,
      Guards guards,
      WorkMemory.Lease lease) {
    ReadRegistry.Moment moment = reads.capture();
    long minLsn = Long.MAX_VALUE;
    long maxLsn = -1;
    for (SortedRun run : inputs) {
      for (int i = 0; i < run.size(); i++) {
        minLsn = Math.min(minLsn, run.table(i).table().meta().lsns().min());
        maxLsn = Math.max(maxLsn, run.table(i).table().meta().lsns().max());
      }
    }
    boolean keepLsns = moment.anyWithin(minLsn, maxLsn);
    // A merge of few runs has more for each; a longer request only keeps clients' reads waiting.
    int share = Math.min(lease.inputBytes() / inputs.size(), ChunkReader.CHUNK_BYTES);
    share -= share % settings.pageBytes();
    RunVersions[] sources = new RunVersions[inputs.size()];
    for (int i = 0; i < sources.length; i++) {
      sources[i] = new RunVersions(inputs.get(i), opener(lease.input() + (long) i * share, share));
    }
    return new Opened(
        new MergeStream<>(new MergingCursor<>(sources, true), moment, keepLsns, isLowest),
        new TableOutput(store, settings, lease.writer(), keepLsns, isLowest, guards.keys()));
  }

  /**
   * Writes entries that come from outside.
   *
   * @param store of the tree
   * @param lsn of all entries
   * @return null if all buffers are in use
   */
  public @Nullable TableLoad load(TableStore store, long lsn) {
    WorkMemory.Lease lease = loadMemory.take();
    if (lease == null) {
      return null;
    }
    TableOutput output = new TableOutput(store, settings, lease.writer(), false, true, List.of());
    return new TableLoad(store, output, lsn, lease.input(), () -> loadMemory.give(lease));
  }

  private Function<LiveTable, VersionCursor> opener(long buffer, int bufferBytes) {
    return table ->
        new VersionCursor(
            table.table(),
            new ChunkReader(table.table(), settings.pageBytes(), buffer, bufferBytes, counters));
  }
}
