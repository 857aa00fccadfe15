package org.loam.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.loam.cache.CacheCounters;
import org.loam.cache.frame.CacheMemory;
import org.loam.cache.frame.FrameCache;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles.DirectoryLock;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.FixedMemory;
import org.loam.common.mem.PagePool;
import org.loam.log.CommitLog;
import org.loam.lsm.CommitGate;
import org.loam.lsm.FlushPolicy;
import org.loam.lsm.LsmTree;
import org.loam.lsm.ScanBatches;
import org.loam.lsm.TreeServices;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestEdit;
import org.loam.lsm.manifest.ManifestEdit.Truncate;
import org.loam.lsm.merge.FileIds;
import org.loam.lsm.merge.Rewriter;
import org.loam.lsm.merge.TableSettings;
import org.loam.lsm.merge.TableStore;
import org.loam.lsm.merge.WorkMemory;
import org.loam.lsm.visibility.ReadRegistry;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.run.ComponentConstraint;
import org.loam.scheduler.run.StallLog;

/**
 * The parts of an open engine, wired: everything but the threads. Whatever is made is freed by
 * {@link #close}, also when making the next part failed.
 */
final class Kernel implements AutoCloseable {
  final StorageEnv env;
  final Path directory;
  final Manifest manifest;
  final CommitLog log;
  final Events events;
  final StallLog stalls;
  final ScanBatches scanBatches = new ScanBatches();
  final CacheCounters cacheCounters = new CacheCounters();
  final WorkFaults faults = new WorkFaults();
  final Epochs memoryEpochs;
  final Epochs fileEpochs;
  final PagePool pool;
  final PagePool.Quota writeQuota;
  final PagePool.Quota cacheQuota;
  final FixedMemory fixed;
  final long fixedBytes;
  final FrameCache cache;
  final Operations operations;
  final WriteMemory writeMemory;
  final SpaceGuard space;
  final Committer committer;
  final ReadRegistry reads;
  final SortedMap<Integer, Path> directories;
  final FileIds fileIds;
  final Installer installer;
  private final Rewriter rewriter;
  final TreeCatalog trees;
  final MultiGet multiGet;
  private final ReadHelpers readAhead;
  private final SortedMap<Integer, TreeServices> services = new TreeMap<>();
  private volatile EngineConfig config;
  private final List<Runnable> closers = new ArrayList<>();

  /**
   * @param additional data directories beside that of the database, by number
   */
  Kernel(Opening opening, Manifest manifest, CommitLog log, SortedMap<Integer, Path> additional) {
    MemoryLayout layout = opening.layout();
    this.env = opening.env();
    this.directory = opening.directory();
    SortedMap<Integer, Path> all = new TreeMap<>(additional);
    all.put(0, directory);
    this.directories = Collections.unmodifiableSortedMap(all);
    this.config = opening.config();
    this.events = opening.events();
    this.manifest = manifest;
    this.log = log;
    this.fixedBytes = layout.fixedBytes();
    int pageBytes = config.memory().pageBytes();
    try {
      fixed = new FixedMemory(layout.fixedBytes());
      closers.add(fixed::close);
      pool = new PagePool(layout.poolPages(), pageBytes);
      closers.add(pool::discard);
      writeQuota = pool.quota("write memory", layout.writePages());
      cacheQuota = pool.quota("buffer cache", layout.poolPages() - layout.writePages());
      cache = new FrameCache(new CacheMemory(pool, cacheQuota, fixed), env.waiter(), cacheCounters);
      closers.add(cache::close);
      memoryEpochs = new Epochs(env.waiter());
      fileEpochs = new Epochs(env.waiter());
      trees = new TreeCatalog(env.waiter());
      stalls = new StallLog(256, (cause, id) -> events.stallBegun(cause, trees.byId(id)));
      closers.add(trees::close);
      // Whoever is inside leaves first; what they kept from being released is released then.
      closers.add(fileEpochs::close);
      closers.add(memoryEpochs::close);
      operations = new Operations(env.waiter(), layout.scratchBytes(), pageBytes);
      closers.add(operations::close);
      multiGet = new MultiGet(readHelpers("loam-read-", ReadHelpers.THREADS));
      // Of its own: a signal wakes all, and scans ask often.
      readAhead = readHelpers("loam-read-ahead-", FrameCache.READ_AHEAD_THREADS);
      WritePages pages = new WritePages(pool, writeQuota, cacheQuota, cache);
      writeMemory =
          new WriteMemory(pages, writeLimits(), trees::list, opening.hostLog(), env.waiter());
      // Room for the next segments of the log, and for flushes of all that is in memory: a flush
      // that fails gives back what it took, which must not pass for room.
      long reserveBytes =
          Math.max(2 * config.log().segmentBytes(), 2 * config.write().initialBytes());
      space = new SpaceGuard(env, directories.values(), reserveBytes, events);
      committer =
          new Committer(
              new Committer.Parts(
                  env,
                  operations,
                  memoryEpochs,
                  log,
                  !log.isHosted() && config.log().durability() == Durability.SYNC,
                  stalls,
                  writeMemory,
                  space,
                  new LargeBatches(fixed, layout.batchBytes(), env.waiter()),
                  events,
                  faults));
      reads = committer.reads();
      SortedMap<Integer, Path> tables = new TreeMap<>(additional);
      tables.put(0, dataDirectory(directory));
      fileIds = new FileIds(env, manifest, tables.values());
      installer = new Installer(manifest, opening.lock(), log, committer, faults, trees::list);
      rewriter = rewriter(layout);
      makeServices(tables, pageBytes);
    } catch (Throwable t) {
      close();
      throw t;
    }
  }

  /** The configuration now. */
  EngineConfig config() {
    return config;
  }

  /**
   * Runs with another configuration from now on, in which only live settings differ and which
   * {@link #servable} gave. Under the monitor of {@link TreeCatalog#changes}, so that trees that
   * are created now do not miss it.
   */
  void reconfigure(EngineConfig changed) {
    config = changed;
    committer.underLatch(() -> writeMemory.change(writeLimits()));
    log.setMaxLogBytes(changed.log().maxBytes());
    rewriter.change(tableSettings());
    trees.list().forEach(tree -> tree.change(behaviour(trees.mergeOptions(tree))));
  }

  /**
   * Merges a tree differently from now on. Under the monitor of {@link TreeCatalog#changes}.
   *
   * @param options null for what the configuration says
   */
  void change(LsmTree tree, @Nullable MergeOptions options) {
    trees.setMergeOptions(tree, options);
    tree.change(behaviour(options));
  }

  /**
   * The most of a configuration that the memory divided at open can serve: a merge must be able to
   * read all of L0 where writes stop.
   *
   * @throws IllegalArgumentException if the engine could not be opened with it
   */
  EngineConfig servable(EngineConfig wanted) {
    MemoryLayout.of(wanted);
    return wanted.disk().l0Stop() <= mostL0Stop()
        ? wanted
        : wanted.toBuilder().l0Stop(mostL0Stop()).build();
  }

  private int mostL0Stop() {
    return rewriter.maxInputRuns() - MemoryLayout.INPUTS_BESIDE_L0;
  }

  private WriteMemory.Limits writeLimits() {
    FlushPolicy policy =
        switch (config.write().flushPolicy()) {
          case MAX_MEMORY -> FlushPolicy.MAX_MEMORY;
          case MIN_LSN -> FlushPolicy.MIN_LSN;
        };
    return new WriteMemory.Limits(
        policy, config.write().flushThreshold(), componentBytes(), config.log().maxBytes());
  }

  private ReadHelpers readHelpers(String name, int threads) {
    ReadHelpers helpers = new ReadHelpers(env, name, threads);
    closers.add(helpers::close);
    return helpers;
  }

  /** Half of the write memory: the other half takes writes while one component is flushed. */
  private long componentBytes() {
    return config.write().initialBytes() / 2;
  }

  private TableSettings tableSettings() {
    return new TableSettings(
        config.memory().pageBytes(),
        config.disk().bloomBitsPerKey(),
        config.disk().sstableBytes(),
        config.io().forceBytes());
  }

  private Rewriter rewriter(MemoryLayout layout) {
    WorkMemory flushMemory =
        new WorkMemory(fixed, "flush buffers", config.threads().flush(), layout.flush());
    WorkMemory mergeMemory =
        new WorkMemory(fixed, "merge buffers", layout.openMerges(), layout.merge());
    WorkMemory loadMemory =
        new WorkMemory(fixed, "bulk load buffers", config.write().bulkLoads(), layout.load());
    return new Rewriter(
        tableSettings(), reads, flushMemory, mergeMemory, loadMemory, cacheCounters);
  }

  /**
   * Makes what trees work with, for each data directory.
   *
   * @param tables where the tables are, by number of the directory
   */
  private void makeServices(SortedMap<Integer, Path> tables, int pageBytes) {
    CommitGate gate = installer;
    TreeServices.Memory memory =
        new TreeServices.Memory(
            writeQuota, pageBytes, memoryEpochs, fileEpochs, writeMemory::wakeAll);
    tables.forEach(
        (number, path) -> {
          TableStore store = new TableStore(env, number, path, cache, fileEpochs, fileIds);
          services.put(
              number,
              new TreeServices(
                  env,
                  memory,
                  reads,
                  gate,
                  store,
                  rewriter,
                  installer,
                  stalls,
                  events,
                  readAhead::begin));
        });
  }

  /** What the trees in a data directory work with. */
  TreeServices servicesIn(int directory) {
    TreeServices found = services.get(directory);
    if (found == null) {
      throw new AssertionError("no data directory " + directory);
    }
    return found;
  }

  /** Deletes the files that the manifest does not name; returns how many. */
  int deleteOrphans() {
    int deleted = 0;
    for (TreeServices each : services.values()) {
      deleted += each.store().deleteOrphans(manifest);
    }
    return deleted;
  }

  /** Where the tables of the directory of a database are; in others they are at the top. */
  static Path dataDirectory(Path directory) {
    return directory.resolve("data");
  }

  /** How a tree behaves that nobody wants to be merged differently. */
  LsmTree.Behaviour behaviour() {
    return behaviour(null);
  }

  private LsmTree.Behaviour behaviour(@Nullable MergeOptions own) {
    MergeOptions options = own == null ? MergeOptions.of(config) : own;
    int l0Stop = Math.min(options.l0Stop(), mostL0Stop());
    PartitionedLeveling policy =
        new PartitionedLeveling(
            new PartitionedLeveling.Settings(
                options.levelRatio(),
                // Where writes stop there must be something to merge.
                Math.min(options.l0MinMerge(), l0Stop - 1),
                PartitionedLeveling.Settings.DEFAULT.deleteFactor(),
                PartitionedLeveling.Selection.CHOOSE_BEST,
                config.disk().mergesWhenQuiet()));
    return new LsmTree.Behaviour(policy, ComponentConstraint.l0Stop(l0Stop), componentBytes());
  }

  /**
   * Makes everything durable, so that the next opening has nothing to recover.
   *
   * @param lock of the directory, which must still be held
   */
  void seal(DirectoryLock lock) {
    lock.verify();
    long end = log.endLsn();
    log.awaitDurable(end, Long.MAX_VALUE);
    manifest.commit(new ManifestEdit(List.of(new Truncate(end), new ManifestEdit.Seal())));
  }

  /** Frees everything, in the opposite order of making; nobody may be working any more. */
  @Override
  public void close() {
    Throwable first = null;
    for (int i = closers.size() - 1; i >= 0; i--) {
      first = Closing.run(closers.get(i), first);
    }
    closers.clear();
    Closing.rethrow(first);
  }
}
