package org.loam.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.loam.cache.AccessClass;
import org.loam.cache.CacheCounters;
import org.loam.cache.PageObserver;
import org.loam.cache.ReadIntent;
import org.loam.cache.frame.CacheMemory;
import org.loam.cache.frame.FrameCache;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.FixedMemory;
import org.loam.common.mem.Mem;
import org.loam.common.mem.PagePool;
import org.loam.common.sim.Simulation;
import org.loam.lsm.TreeServices.CommitGate;
import org.loam.lsm.manifest.DatabaseIdentity;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestEdit;
import org.loam.lsm.manifest.ManifestEdit.CreateTree;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;
import org.loam.lsm.manifest.ManifestState;
import org.loam.lsm.manifest.ManifestState.TreeRecord;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryRun;
import org.loam.lsm.merge.FileIds;
import org.loam.lsm.merge.Rewriter;
import org.loam.lsm.merge.TableSettings;
import org.loam.lsm.merge.TableStore;
import org.loam.lsm.merge.WorkMemory;
import org.loam.lsm.read.EntryCursor;
import org.loam.lsm.version.DiskVersion.Place;
import org.loam.lsm.visibility.ReadRegistry;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.MergePolicy;
import org.loam.scheduler.merge.RunMode;
import org.loam.scheduler.work.BackgroundOperation;
import org.loam.scheduler.work.ComponentConstraint;
import org.loam.scheduler.work.StallLog;
import org.loam.scheduler.work.StepResult;
import org.loam.scheduler.work.WriteControl;

/**
 * Trees without an engine: files, memory, manifest and all that trees share, driven by hand.
 * Closing it proves that memory, pages and pins came back.
 */
final class TreeWorld implements AutoCloseable {
  /** Flushes that may be open at once. */
  private static final int FLUSHES = 3;

  static final Comparator<byte[]> BYTES = Arrays::compareUnsigned;

  /**
   * Sizes.
   *
   * @param inputRuns runs that a merge can read
   * @param scratchBytes what a scan has for copies of memory components
   */
  record Sizes(
      int pageBytes, int writePages, long tableBytes, int inputRuns, int scratchBytes, int merges) {
    static final Sizes SMALL = new Sizes(4096, 512, 12 << 10, 24, 16 << 10, 4);
  }

  /** What stands between the trees and a log. */
  record Host(LongSupplier published, CommitGate gate) {}

  /** A gate that is always open. */
  static final CommitGate OPEN_GATE =
      new CommitGate() {
        @Override
        public boolean mayFlush(long endLsn) {
          return true;
        }

        @Override
        public void awaitDurable(long endLsn) {}
      };

  final StorageEnv env;
  final Sizes sizes;
  final Manifest manifest;
  final ReadRegistry reads;
  final PagePool pool;
  final PagePool.Quota writeQuota;
  final FrameCache cache;
  final TableStore store;
  final Rewriter rewriter;
  final TreeServices services;
  final Monitor latch;
  final Epochs memoryEpochs;
  final Epochs fileEpochs;
  final List<LsmTree> trees = new ArrayList<>();
  private final Map<LsmTree, ComponentChanges> components = new HashMap<>();
  final Workspace workspace;
  final PointRead read;
  private final FixedMemory fixed;

  /** How the memory of trees is divided when it is frozen. */
  RangeSizes ranges = RangeSizes.WHOLE;

  /** Reads what scans go on to; null if their own thread does. */
  TreeServices.@Nullable BackgroundReads helpers;

  /** Learns of keys that readers miss. */
  TreeServices.MissedKeys missedKeys = TreeServices.MissedKeys.NONE;

  /** What the cache's observer says of each page in the cache. */
  double usedSince = -1;

  private int readsAhead;
  private long edits;

  /** Opens the trees of a simulation's directory; makes a manifest if there is none. */
  TreeWorld(Simulation sim, Sizes sizes, Host host, TreeBehaviour behaviour) {
    this(sim, sizes, host, behaviour, TreeServices.Returns.NONE);
  }

  /**
   * The same.
   *
   * @param returns learns of memory that trees give back
   */
  TreeWorld(
      Simulation sim,
      Sizes sizes,
      Host host,
      TreeBehaviour behaviour,
      TreeServices.Returns returns) {
    this.env = sim.env();
    Path directory = sim.directory();
    this.sizes = sizes;
    boolean created = !Manifest.exists(env, directory);
    this.manifest =
        created
            ? Manifest.create(env, directory, new DatabaseIdentity(7, sizes.pageBytes(), 0))
            : Manifest.open(env, directory);
    this.latch = env.waiter().newMonitor("commit latch");
    this.memoryEpochs = new Epochs(env.waiter());
    this.fileEpochs = new Epochs(env.waiter());
    this.reads = new ReadRegistry(host.published());
    int cachePages = 256;
    this.pool = new PagePool(sizes.writePages() + cachePages, sizes.pageBytes());
    this.writeQuota = pool.quota("write memory", sizes.writePages());
    WorkMemory.Sizes flush = new WorkMemory.Sizes(8 * sizes.pageBytes(), 256 << 10, 0);
    WorkMemory.Sizes merge =
        new WorkMemory.Sizes(8 * sizes.pageBytes(), 256 << 10, sizes.inputRuns() * (64 << 10));
    this.fixed =
        new FixedMemory(
            CacheMemory.fixedBytes(sizes.writePages() + cachePages, sizes.pageBytes())
                + FLUSHES * flush.totalBytes()
                + sizes.merges() * merge.totalBytes()
                + (1 << 16));
    CacheCounters counters = new CacheCounters(new Uses());
    this.cache =
        new FrameCache(
            new CacheMemory(pool, pool.quota("cache", cachePages), fixed), env.waiter(), counters);
    Path data = directory.resolve("data");
    env.files().createDirectories(data);
    env.files().forceDirectory(directory);
    FileIds ids = new FileIds(env, manifest, List.of(data));
    this.store = new TableStore(env, 0, data, cache, fileEpochs, ids::next);
    this.rewriter =
        new Rewriter(
            new TableSettings(sizes.pageBytes(), 10, sizes.tableBytes(), 16 << 10),
            reads,
            new WorkMemory(fixed, "flush", FLUSHES, flush),
            new WorkMemory(fixed, "merge", sizes.merges(), merge),
            new WorkMemory(fixed, "load", 0, flush),
            counters);
    this.services =
        new TreeServices(
            env,
            new TreeServices.Memory(
                writeQuota, sizes.pageBytes(), memoryEpochs, fileEpochs, returns),
            reads,
            host.gate(),
            0,
            new StallLog(16),
            this::readAhead,
            missed());
    this.workspace = new Workspace(sizes.scratchBytes());
    this.read = new PointRead(sizes.pageBytes());
    for (TreeRecord record : manifest.read(s -> List.copyOf(s.trees()))) {
      List<Place> places = new ArrayList<>();
      record
          .components()
          .forEach(c -> places.add(new Place(c.level(), c.group(), store.open(c.meta()))));
      open(
          new TreeState(
              record.treeId(), record.name(), record.name(), services, record.durableLsn(), places),
          behaviour);
    }
    manifest.start();
    manifest.commit(ManifestEdit.of(ids.reserveFirst()));
    store.deleteOrphans(manifest.read(state -> state.tableFiles(0)));
  }

  private final class Uses implements PageObserver {
    @Override
    public void used(long pageId, long hash) {}

    @Override
    public double usedSince(long pageId, long hash) {
      return usedSince;
    }

    @Override
    public void missed(long pageId, AccessClass access, boolean stays) {}

    @Override
    public void left(long pageId) {}

    @Override
    public void deleted(long firstPageId, long lastPageId) {}
  }

  private TreeServices.MissedKeys missed() {
    return new TreeServices.MissedKeys() {
      @Override
      public boolean wants(int treeId, long hash) {
        return missedKeys.wants(treeId, hash);
      }

      @Override
      public void missed(int treeId, long hash, double usedSince) {
        missedKeys.missed(treeId, hash, usedSince);
      }
    };
  }

  /** By the helpers, if there are any; else on the same thread, and every other one never. */
  private boolean readAhead(Runnable read) {
    TreeServices.BackgroundReads others = helpers;
    if (others != null) {
      return others.begin(read);
    }
    readsAhead++;
    if (readsAhead % 2 == 0) {
      return false;
    }
    read.run();
    return true;
  }

  static TreeBehaviour behaviour(MergePolicy policy, long memoryComponentBytes) {
    return new TreeBehaviour(
        policy, ComponentConstraint.l0Stop(100), WriteControl.STOP, 10, () -> memoryComponentBytes);
  }

  LsmTree createTree(String name, TreeBehaviour behaviour) {
    int id = manifest.read(ManifestState::nextTreeId);
    manifest.commit(ManifestEdit.of(new CreateTree(id, name, 0)));
    return open(new TreeState(id, name, name, services, -1, List.of()), behaviour);
  }

  private LsmTree open(TreeState state, TreeBehaviour behaviour) {
    LsmTree tree = new LsmTree(state);
    trees.add(tree);
    components.put(
        tree,
        new ComponentChanges(state, store, behaviour, rewriter, installer(), WorkObserver.NONE));
    return tree;
  }

  private ComponentInstaller installer() {
    return new ComponentInstaller() {
      @Override
      public void install(ReplaceComponents merge) {
        manifest.commit(ManifestEdit.of(merge));
      }

      @Override
      public void install(
          List<Supplier<ReplaceComponents>> flushes, List<MemoryComponent> flushed) {
        edits++;
        List<ManifestEdit.Change> changes = new ArrayList<>();
        latch.lock();
        try {
          flushes.forEach(each -> changes.add(each.get()));
        } finally {
          latch.unlock();
        }
        manifest.commit(new ManifestEdit(changes));
      }
    };
  }

  /** Opens the flush of what a tree has frozen; null if there is none that can start. */
  @Nullable BackgroundOperation openFlush(LsmTree tree) {
    return FlushGroup.open(List.of(components(tree)));
  }

  /** Edits of the manifest that flushes made. */
  long edits() {
    return edits;
  }

  /** What flushes and merges a tree. */
  ComponentChanges components(LsmTree tree) {
    return Objects.requireNonNull(components.get(tree));
  }

  /** Writes a value, or anti-matter if it is null. */
  void write(LsmTree tree, byte[] key, byte @Nullable [] value, long lsn) {
    int slot = memoryEpochs.enter();
    try {
      MemoryComponent active = tree.active(key);
      byte kind = value == null ? EntryKind.ANTI_MATTER : EntryKind.PUT;
      long record = active.prepare(kind, key, value == null ? new byte[0] : value);
      assertThat(record).as("memory for a record").isPositive();
      latch.lock();
      try {
        assertThat(active.reserve(1)).as("memory for nodes").isTrue();
        active.insert(record, lsn, reads);
      } finally {
        latch.unlock();
      }
    } finally {
      memoryEpochs.exit(slot);
    }
  }

  boolean freeze(LsmTree tree, long endLsn) {
    latch.lock();
    try {
      return tree.freezes().freeze(ranges, endLsn, FlushCause.USER);
    } finally {
      latch.unlock();
    }
  }

  /** Freezes those of the active components that are picked; false if none of them has entries. */
  boolean freeze(LsmTree tree, long endLsn, Predicate<MemoryComponent> picked) {
    latch.lock();
    try {
      Set<MemoryComponent> chosen =
          tree.actives().stream().filter(picked).collect(Collectors.toSet());
      return !tree.freezes().freeze(chosen, ranges, endLsn, FlushCause.MEMORY).isEmpty();
    } finally {
      latch.unlock();
    }
  }

  /** Lets the active component stay in memory as a run; false if it has no entries. */
  boolean settle(LsmTree tree) {
    latch.lock();
    try {
      return tree.freezes().settle();
    } finally {
      latch.unlock();
    }
  }

  /** Freezes the first runs for the sake of memory, at least one. */
  boolean freezeFirst(LsmTree tree, long endLsn, int count) {
    return freezeRuns(
        tree, endLsn, FlushCause.MEMORY, tree.freezes().flushOrder().stream().limit(count));
  }

  /** Freezes the newest run for the sake of the log. */
  boolean freezeNewest(LsmTree tree, long endLsn) {
    return freezeRuns(tree, endLsn, FlushCause.LOG, tree.runs().stream().limit(1));
  }

  /** Freezes the run with the oldest write. */
  boolean freezeOldest(LsmTree tree, long endLsn) {
    return freezeRuns(
        tree,
        endLsn,
        FlushCause.LOG,
        tree.runs().stream().min(Comparator.comparingLong(MemoryRun::minLsn)).stream());
  }

  private boolean freezeRuns(LsmTree tree, long endLsn, FlushCause cause, Stream<MemoryRun> runs) {
    Set<MemoryComponent> chosen = runs.map(MemoryRun::component).collect(Collectors.toSet());
    return !freeze(tree, endLsn, cause, chosen).isEmpty();
  }

  /** Freezes components; says what that took. */
  List<Freezes.FrozenPart> freeze(
      LsmTree tree, long endLsn, FlushCause cause, Set<MemoryComponent> chosen) {
    latch.lock();
    try {
      return tree.freezes().freeze(chosen, ranges, endLsn, cause);
    } finally {
      latch.unlock();
    }
  }

  /** Flushes all that is frozen and may be flushed; returns how many components that was. */
  int flushFrozen(LsmTree tree) {
    int count = 0;
    for (BackgroundOperation f = openFlush(tree); f != null; f = openFlush(tree)) {
      finish(f);
      count++;
    }
    return count;
  }

  /** Does the first merge that is due and can be opened; false if there is none. */
  boolean merge(LsmTree tree) {
    BackgroundOperation merge = openMerge(tree);
    if (merge != null) {
      finish(merge);
    }
    return merge != null;
  }

  /** Opens the first merge that is due and can be opened; null if there is none. */
  @Nullable BackgroundOperation openMerge(LsmTree tree) {
    ComponentChanges changes = components(tree);
    for (MergePlan plan : changes.mergePolicy().plan(changes.shape(), RunMode.RUNNING)) {
      BackgroundOperation merge = changes.open(plan);
      if (merge != null) {
        return merge;
      }
    }
    return null;
  }

  static void finish(BackgroundOperation operation) {
    StepResult result = StepResult.MORE;
    while (result != StepResult.DONE) {
      result = operation.step(8 << 10);
      if (result == StepResult.NEEDS_FORCE) {
        operation.force();
      }
    }
  }

  byte @Nullable [] get(LsmTree tree, byte[] key, long readLsn) {
    boolean found = read.find(tree, workspace.putKey(key), key.length, readLsn, ReadIntent.QUERY);
    long lsn = readLsn == PointRead.LATEST_PUBLISHED ? reads.currentReadLsn() : readLsn;
    assertThat(read.isInMemory())
        .as("key %s at %d is in memory", Arrays.toString(key), lsn)
        .isEqualTo(isInMemory(tree, key, lsn));
    if (!found) {
      return null;
    }
    try {
      byte[] value = new byte[read.valueLength()];
      read.copyValue(value, 0, value.length);
      return value;
    } finally {
      read.release();
    }
  }

  /** Everything in a range, in the scan's order. */
  List<Map.Entry<byte[], byte[]>> scan(LsmTree tree, TreeScan.Range range, long readLsn) {
    List<Map.Entry<byte[], byte[]>> rows = new ArrayList<>();
    TreeScan scan = new TreeScan(tree, range, readLsn, new ScanBatch());
    while (next(scan)) {
      Map.Entry<byte[], byte[]> row = row(scan.batch());
      assertThat(scan.batch().isInMemory())
          .as("key %s at %d is in memory", Arrays.toString(row.getKey()), readLsn)
          .isEqualTo(isInMemory(tree, row.getKey(), readLsn));
      rows.add(row);
    }
    return rows;
  }

  /** Moves a scan on; false past the end. */
  boolean next(TreeScan scan) {
    return next(scan, workspace);
  }

  /** The same, with scratch memory of the caller. */
  static boolean next(TreeScan scan, Workspace workspace) {
    boolean more = true;
    while (more && !scan.nextFetched()) {
      more = scan.fetch(workspace);
    }
    return more;
  }

  private boolean isInMemory(LsmTree tree, byte[] key, long readLsn) {
    int slot = memoryEpochs.enter();
    try {
      TreeVersion version = tree.version();
      return Stream.of(
              version.memory.runs().stream(),
              version.levels.all().stream(),
              Arrays.stream(version.frozen).flatMap(frozen -> frozen.runs().stream()))
          .flatMap(runs -> runs)
          .anyMatch(run -> hasKey(run.cursor(readLsn), key));
    } finally {
      memoryEpochs.exit(slot);
    }
  }

  private boolean hasKey(EntryCursor cursor, byte[] key) {
    return cursor.ceiling(workspace.putKey(key), key.length)
        && Mem.compare(key, 0, key.length, cursor.keyAddress(), cursor.keyLength()) == 0;
  }

  static Map.Entry<byte[], byte[]> row(ScanBatch batch) {
    byte[] key = new byte[batch.keyLength()];
    byte[] value = new byte[batch.valueLength()];
    batch.copyKey(key, 0);
    batch.copyValue(value, 0);
    return Map.entry(key, value);
  }

  /** Checks point reads of keys, and scans in both directions, against what should be there. */
  void check(LsmTree tree, TreeMap<byte[], byte[]> expected, List<byte[]> keys, long readLsn) {
    for (byte[] key : keys) {
      assertThat(get(tree, key, readLsn))
          .as("key %s at %d", Arrays.toString(key), readLsn)
          .isEqualTo(expected.get(key));
    }
    long scanLsn = readLsn == PointRead.LATEST_PUBLISHED ? reads.register() : readLsn;
    checkRows(
        scan(tree, new TreeScan.Range(null, null, true, ReadIntent.QUERY, Long.MAX_VALUE), scanLsn),
        expected);
    checkRows(
        scan(
            tree, new TreeScan.Range(null, null, false, ReadIntent.QUERY, Long.MAX_VALUE), scanLsn),
        expected.descendingMap());
    if (scanLsn != readLsn) {
      reads.release(scanLsn);
    }
  }

  static void checkRows(List<Map.Entry<byte[], byte[]>> rows, Map<byte[], byte[]> expected) {
    assertThat(rows.stream().map(e -> Arrays.toString(e.getKey())).toList())
        .isEqualTo(expected.keySet().stream().map(Arrays::toString).toList());
    int at = 0;
    for (byte[] value : expected.values()) {
      assertThat(rows.get(at).getValue())
          .as("value of %s", Arrays.toString(rows.get(at).getKey()))
          .isEqualTo(value);
      at++;
    }
  }

  /** Closes trees and all; no operation may be open. */
  @Override
  public void close() {
    memoryEpochs.close();
    fileEpochs.close();
    components.values().forEach(ComponentChanges::close);
    assertThat(writeQuota.usedPages()).as("pages of write memory").isZero();
    assertThat(cache.statistics().pinnedFrames()).as("pinned frames").isZero();
    workspace.close();
    cache.close();
    fixed.close();
    pool.close();
    manifest.close();
  }
}
