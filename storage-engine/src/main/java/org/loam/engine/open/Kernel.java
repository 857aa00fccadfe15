package org.loam.engine.open;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.loam.cache.frame.FrameCache;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.NanoClock;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.Waiter;
import org.loam.common.mem.Epochs;
import org.loam.engine.commit.Admission;
import org.loam.engine.commit.Attempts;
import org.loam.engine.commit.BatchRoom;
import org.loam.engine.commit.CommitLatch;
import org.loam.engine.commit.Committer;
import org.loam.engine.commit.FlushTrigger;
import org.loam.engine.commit.Freezer;
import org.loam.engine.commit.LargeBatches;
import org.loam.engine.commit.MarkedChanges;
import org.loam.engine.commit.MemoryPath;
import org.loam.engine.commit.SpaceGuard;
import org.loam.engine.commit.Undos;
import org.loam.engine.commit.WorkFaults;
import org.loam.engine.commit.WriteMemory;
import org.loam.engine.commit.WritePath;
import org.loam.engine.commit.WriteWaits;
import org.loam.engine.host.HostLog;
import org.loam.engine.memory.MemoryArbiter;
import org.loam.engine.notify.Events;
import org.loam.engine.operation.Closing;
import org.loam.engine.operation.Operations;
import org.loam.engine.read.ReadHelpers;
import org.loam.engine.read.ReadPath;
import org.loam.engine.tree.Installer;
import org.loam.engine.tree.LiveSettings;
import org.loam.engine.tree.ManifestEdits;
import org.loam.engine.tree.TreeCatalog;
import org.loam.engine.tree.TreeFactory;
import org.loam.log.CommitLog;
import org.loam.lsm.TreeServices;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.merge.FileIds;
import org.loam.lsm.merge.Rewriter;
import org.loam.lsm.merge.TableStore;
import org.loam.lsm.merge.WorkMemory;
import org.loam.scheduler.work.StallLog;
import org.loam.scheduler.work.WriteGate;

/**
 * Wires the parts of an engine: everything but what needs trees to be open. A part is handed on to
 * what works with it; nothing else is handed on. Whatever is made is freed by {@link #close}, also
 * when making the next part failed.
 */
final class Kernel implements AutoCloseable {
  private final List<Runnable> closers = new ArrayList<>();
  private final EngineConfig config;
  private final MemoryLayout layout;
  private final Events events;
  private final Storage storage;
  private final EngineMemory memory;
  private final TreeCatalog trees;
  private final ReadHelpers readAhead;
  private final WritePath writes;
  private final ReadPath reads;
  private final FileIds fileIds;
  private final ManifestEdits edits;
  private final Installer installer;
  private final LiveSettings settings;
  private final TreeFactory factory;

  /**
   * @param additional data directories beside that of the database, by number
   */
  Kernel(Opening opening, Manifest manifest, CommitLog log, SortedMap<Integer, Path> additional) {
    StorageEnv env = opening.env();
    this.config = opening.config();
    this.layout = opening.layout();
    this.events = opening.events();
    this.memory = opening.memory();
    SortedMap<Integer, Path> all = new TreeMap<>(additional);
    all.put(0, opening.directory());
    this.storage = new Storage(env, opening.lock(), all, manifest, log);
    int pageBytes = config.memory().pageBytes();
    try {
      closers.add(memory::close);
      trees = new TreeCatalog(env.waiter());
      closers.add(trees::close);
      closers.add(memory::awaitReaders);
      Operations operations = new Operations(env.waiter(), layout.scratchBytes());
      closers.add(operations::close);
      ReadHelpers helpers = readHelpers("loam-read-", ReadHelpers.THREADS);
      // Of its own: a signal wakes all, and scans ask often.
      readAhead = readHelpers("loam-read-ahead-", FrameCache.READ_AHEAD_THREADS);
      writes = writePath(opening, operations);
      reads = new ReadPath(operations, writes.latch().reads(), helpers, pageBytes);
      SortedMap<Integer, Path> tables = storage.tableDirectories();
      fileIds = new FileIds(env, manifest, tables.values());
      edits = new ManifestEdits(manifest, opening.lock(), log, writes.latch());
      MarkedChanges marks =
          new MarkedChanges(
              env.clock(),
              manifest,
              log,
              writes.latch(),
              writes.memory().trigger(),
              writes.admission());
      installer = new Installer(edits, log, writes.latch(), marks, writes.faults(), trees::list);
      Rewriter rewriter = rewriter();
      settings = new LiveSettings(config, trees, writes.latch(), writes.memory(), log, rewriter);
      factory = new TreeFactory(homes(tables), rewriter, installer, events, settings);
    } catch (Throwable t) {
      close();
      throw t;
    }
  }

  private ReadHelpers readHelpers(String name, int threads) {
    ReadHelpers helpers = new ReadHelpers(storage.env(), name, threads);
    closers.add(helpers::close);
    return helpers;
  }

  private WritePath writePath(Opening opening, Operations operations) {
    HostLog host = opening.hostLog();
    StorageEnv env = storage.env();
    NanoClock clock = env.clock();
    CommitLog log = storage.log();
    StallLog stalls = new StallLog(256, (cause, id) -> events.stallBegun(cause, trees.nameOf(id)));
    MemoryPath path = memoryPath(env, host);
    // Room for the next segments of the log, and for flushes of all that is in memory: a flush
    // that fails gives back what it took, which must not pass for room. A host has its own log.
    long logBytes = log.isHosted() ? 0 : 2 * config.log().segmentBytes();
    SpaceGuard space =
        new SpaceGuard(
            env,
            storage.directories().values(),
            () -> Math.max(logBytes, 2 * path.pages().ownBytes()),
            events);
    boolean sync = !log.isHosted() && config.log().durability() == Durability.SYNC;
    WriteGate memoryGate = new WriteGate(StallLog.NO_TREE, env, stalls);
    Runnable releaseWriters =
        () -> {
          trees.list().forEach(tree -> tree.gate().release());
          path.pages().wakeAll();
          memoryGate.release();
        };
    CommitLatch latch = new CommitLatch(env.waiter(), log, sync, releaseWriters, events::fenced);
    WorkFaults faults =
        new WorkFaults(
            treeId -> trees.byId(treeId) != null,
            directory ->
                trees.list().stream()
                    .anyMatch(tree -> tree.directory() == directory && tree.hasFrozen()));
    Admission admission = new Admission(env.clock(), latch, space::requireRoom, faults, memoryGate);
    LargeBatches largeBatches = largeBatches(env.waiter(), log.isHosted());
    Epochs epochs = memory.memoryEpochs();
    Committer committer =
        new Committer(
            new Committer.Parts(
                operations,
                log,
                latch,
                path.room(),
                largeBatches,
                admission,
                new WriteWaits(clock, log, latch, stalls, path, admission),
                new Attempts(operations, epochs, log, latch, path.trigger(), largeBatches)),
            memory.writeWatch()::written);
    Undos undos = new Undos(operations, epochs, latch);
    return new WritePath(latch, committer, undos, admission, path, space, stalls, faults);
  }

  private MemoryPath memoryPath(StorageEnv env, @Nullable HostLog host) {
    FlushTrigger.Limits limits = LiveSettings.writeLimits(config, host != null);
    MemoryArbiter arbiter = memory.arbiter();
    WriteMemory pages =
        new WriteMemory(
            arbiter,
            limits.scheme(),
            trees::list,
            memory.memoryEpochs(),
            host == null ? UnaryOperator.identity() : host::flushUnit,
            env);
    BatchRoom room = new BatchRoom(arbiter, pages, layout.batchPages(), host != null);
    Freezer freezer = new Freezer(pages, host == null ? null : host::flushWanted, env.clock());
    FlushTrigger trigger = new FlushTrigger(arbiter, pages, room, freezer, limits);
    return new MemoryPath(pages, room, trigger, freezer);
  }

  private LargeBatches largeBatches(Waiter waiter, boolean isHosted) {
    if (isHosted) {
      return LargeBatches.withoutBuffer(waiter);
    }
    LargeBatches.Limit limit = layout.batch();
    long buffer = memory.fixed().allocate("large batches", limit.bytes(), 64);
    return LargeBatches.withBuffer(buffer, limit, waiter);
  }

  private Rewriter rewriter() {
    MemoryLayout.Buffers buffers = layout.buffers();
    WorkMemory flushMemory =
        new WorkMemory(memory.fixed(), "flush buffers", config.threads().flush(), buffers.flush());
    WorkMemory mergeMemory =
        new WorkMemory(memory.fixed(), "merge buffers", buffers.openMerges(), buffers.merge());
    WorkMemory loadMemory =
        new WorkMemory(
            memory.fixed(), "bulk load buffers", config.write().bulkLoads(), buffers.load());
    return new Rewriter(
        LiveSettings.tableSettings(config),
        reads.registry(),
        flushMemory,
        mergeMemory,
        loadMemory,
        memory.cacheCounters());
  }

  /**
   * What data directories have for their trees, by number.
   *
   * @param tables where the tables are, by that number
   */
  private SortedMap<Integer, TreeFactory.Home> homes(SortedMap<Integer, Path> tables) {
    TreeServices.Memory treeMemory =
        new TreeServices.Memory(
            memory.writeQuota(),
            config.memory().pageBytes(),
            memory.memoryEpochs(),
            memory.fileEpochs(),
            writes.memory().pages());
    SortedMap<Integer, TreeFactory.Home> homes = new TreeMap<>();
    tables.forEach(
        (number, path) -> {
          StorageEnv env = storage.env();
          TableStore store =
              new TableStore(env, number, path, memory.cache(), memory.fileEpochs(), fileIds::next);
          TreeServices services =
              new TreeServices(
                  env,
                  treeMemory,
                  reads.registry(),
                  installer,
                  number,
                  writes.stalls(),
                  readAhead::begin,
                  memory.writeWatch());
          homes.put(number, new TreeFactory.Home(services, store));
        });
    return homes;
  }

  Storage storage() {
    return storage;
  }

  EngineMemory memory() {
    return memory;
  }

  Events events() {
    return events;
  }

  TreeCatalog trees() {
    return trees;
  }

  WritePath writes() {
    return writes;
  }

  ReadPath reads() {
    return reads;
  }

  FileIds fileIds() {
    return fileIds;
  }

  ManifestEdits edits() {
    return edits;
  }

  Installer installer() {
    return installer;
  }

  LiveSettings settings() {
    return settings;
  }

  TreeFactory factory() {
    return factory;
  }

  /** Frees everything, in the opposite order of making; no thread may be working any more. */
  @Override
  public void close() {
    Closing.inReverse(closers);
  }
}
