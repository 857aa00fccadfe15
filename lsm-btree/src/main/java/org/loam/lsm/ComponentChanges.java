package org.loam.lsm;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.lsm.TreeVersion.Frozen;
import org.loam.lsm.disk.SSTableMeta;
import org.loam.lsm.manifest.ComponentRecord;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;
import org.loam.lsm.merge.ComponentSink;
import org.loam.lsm.version.DiskVersion;
import org.loam.lsm.version.DiskVersion.Place;
import org.loam.lsm.version.LiveTable;
import org.loam.lsm.version.SortedRun;
import org.loam.scheduler.merge.Guards;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.TreeShape;
import org.loam.scheduler.run.BackgroundOperation;
import org.loam.scheduler.run.IoClass;

/**
 * The flushes and merges of a tree: opens them, puts their results in place one at a time, and lets
 * a dropped tree go when the last of them has ended. Thread-safe.
 */
final class ComponentChanges {
  /** One of so many entries is worth a rewrite. */
  private static final int WORTHWHILE_ANTI_MATTER = 16;

  private final TreeState tree;
  private final TreeServices services;

  /** Orders installs; held across the manifest edit. */
  private final Monitor installLock;

  @GuardedBy("installLock")
  private final TreeShapes shapes;

  /** Changed under the install lock; whether one is under way is read without it. */
  private final Compaction compaction = new Compaction();

  @GuardedBy("installLock")
  private Guards guards = Guards.NONE;

  @GuardedBy("installLock")
  private boolean flushing;

  @GuardedBy("installLock")
  private boolean discarded;

  /** Written under the install lock. */
  private volatile long flushedLsn = -1;

  ComponentChanges(TreeState tree) {
    this.tree = tree;
    this.services = tree.services();
    this.shapes = new TreeShapes(tree);
    this.installLock = services.env().waiter().newMonitor("install lock of tree " + tree.name());
  }

  /** The largest LSN flushed, -1 if there was none. */
  long flushedLsn() {
    return flushedLsn;
  }

  /** Opens or shuts the gate as the constraint of now says. */
  void updateGate() {
    installLock.lock();
    try {
      tree.updateGate(shapes.now());
    } finally {
      installLock.unlock();
    }
  }

  // ---- Flush.

  /** Starts the flush of the oldest frozen component; see {@link LsmTree#openFlush}. */
  @Nullable BackgroundOperation openFlush() {
    installLock.lock();
    try {
      Frozen[] frozen = tree.version().frozen;
      if (tree.isDropped() || flushing || frozen.length == 0) {
        return null;
      }
      Frozen oldest = frozen[frozen.length - 1];
      if (!services.gate().mayFlush(oldest.endLsn())) {
        return null;
      }
      FlushSink sink = new FlushSink(oldest);
      BackgroundOperation flush =
          services
              .rewriter()
              .flush(
                  services.store(),
                  oldest.component(),
                  tree.version().isLowest(oldest.component(), services.memoryEpochs()),
                  guardsFor(shapes.now()),
                  sink);
      if (flush != null) {
        flushing = true;
        sink.ending =
            services.observer().flushBegun(tree.name(), oldest.cause(), oldest.component());
      }
      return flush;
    } finally {
      installLock.unlock();
    }
  }

  private final class FlushSink implements ComponentSink {
    private final Frozen frozen;
    private WorkObserver.Ending ending = WorkObserver.Ending.NONE;

    FlushSink(Frozen frozen) {
      this.frozen = frozen;
    }

    @Override
    public void prepare() {
      // Write-ahead: what is in a component must be in the log for good first. And only what is
      // published may be flushed, since a flush keeps just what readers need.
      services.gate().awaitDurable(frozen.endLsn());
    }

    @Override
    public boolean install(List<LiveTable> tables) {
      installLock.lock();
      try {
        if (discarded) {
          return false;
        }
        installFlush(frozen, tables);
        flushing = false;
        ending.installed(tables);
        return true;
      } finally {
        installLock.unlock();
      }
    }

    @Override
    public void aborted() {
      installLock.lock();
      try {
        flushing = false;
        ending.aborted();
        releaseIfDiscarded();
      } finally {
        installLock.unlock();
      }
    }

    @Override
    public boolean isDropped() {
      return tree.isDropped();
    }
  }

  @GuardedBy("installLock")
  private void installFlush(Frozen frozen, List<LiveTable> tables) {
    DiskVersion disk = tree.version().disk;
    List<ComponentRecord> added = new ArrayList<>();
    for (LiveTable table : tables) {
      long group = disk.groupFor(table.component().range());
      disk = disk.replace(Set.of(), List.of(new Place(Level.L0, group, table)));
      added.add(table.recordAt(Level.L0, group));
    }
    services
        .installer()
        .install(
            new ReplaceComponents(tree.treeId(), List.of(), added, frozen.component().maxLsn()),
            frozen.component());
    DiskVersion next = disk;
    // Before the version: who does not find a write in memory any more finds it here.
    flushedLsn = Math.max(flushedLsn, frozen.component().maxLsn());
    tree.changeVersion(v -> v.flushed(frozen, next));
    tree.updateGate(shapes.now());
    services.memory().retire(frozen.component());
  }

  @GuardedBy("installLock")
  private Guards guardsFor(TreeShape shape) {
    guards = guards.fitted(shape, services.rewriter().settings().fineness());
    return guards;
  }

  // ---- Merge.

  /**
   * The shape now. Of an L0 with more groups than a merge can read at once, as a recovery may leave
   * it, only the oldest, which can be merged without the others.
   */
  TreeShape shape() {
    TreeShape shape;
    installLock.lock();
    try {
      shape = shapes.now();
    } finally {
      installLock.unlock();
    }
    return TreeShapes.mergeable(shape, services.rewriter().maxInputRuns());
  }

  /** Asks for a merge of everything on disk now into the last level. */
  void requestCompaction() {
    installLock.lock();
    try {
      compaction.request(tree.version().disk);
    } finally {
      installLock.unlock();
    }
  }

  boolean isCompacting() {
    return compaction.isUnderWay();
  }

  /** Starts a plan, unless the shape has changed so that it does not fit any more. */
  @Nullable BackgroundOperation open(MergePlan plan) {
    installLock.lock();
    try {
      TreeShape shape = shapes.now();
      if (tree.isDropped() || shape.objection(plan) != null) {
        return null;
      }
      IoClass ioClass = plan.fromLevel() == Level.L0 ? IoClass.L0 : IoClass.MERGE;
      boolean isLowest = shape.olderThan(plan).isEmpty();
      boolean move = plan.kind() == MergePlan.Kind.MOVE && !(isLowest && hasMuchAntiMatter(plan));
      MergeSink sink = new MergeSink(plan);
      BackgroundOperation merge =
          move
              ? new MoveOperation(ioClass, sink::move, sink::aborted)
              : services
                  .rewriter()
                  .merge(
                      services.store(),
                      ioClass,
                      tree.version().disk.select(plan.inputs()),
                      isLowest,
                      guardsFor(shape),
                      sink);
      if (merge != null) {
        shapes.begin(plan);
        sink.ending = services.observer().mergeBegun(tree.name(), plan, shape, move);
      }
      return merge;
    } finally {
      installLock.unlock();
    }
  }

  /**
   * Whether it is worthwhile to rewrite a table that could be moved: where nothing older lies
   * below, its anti-matter would take space until some later merge.
   */
  private boolean hasMuchAntiMatter(MergePlan plan) {
    SSTableMeta meta = inputTables(plan).get(0).table().meta();
    return meta.counts().antiMatter() * WORTHWHILE_ANTI_MATTER > meta.counts().entries();
  }

  private final class MergeSink implements ComponentSink {
    private final MergePlan plan;
    private WorkObserver.Ending ending = WorkObserver.Ending.NONE;

    MergeSink(MergePlan plan) {
      this.plan = plan;
    }

    @Override
    public void prepare() {}

    @Override
    public boolean install(List<LiveTable> tables) {
      installLock.lock();
      try {
        boolean installed = ComponentChanges.this.install(plan, tables);
        if (installed) {
          ending.installed(tables);
        }
        return installed;
      } finally {
        installLock.unlock();
      }
    }

    boolean move() {
      return install(inputTables(plan));
    }

    @Override
    public void aborted() {
      installLock.lock();
      try {
        shapes.abort(plan);
        ending.aborted();
        releaseIfDiscarded();
      } finally {
        installLock.unlock();
      }
    }

    @Override
    public boolean isDropped() {
      return tree.isDropped();
    }
  }

  private List<LiveTable> inputTables(MergePlan plan) {
    List<LiveTable> tables = new ArrayList<>();
    for (SortedRun run : tree.version().disk.select(plan.inputs())) {
      run.addTo(tables);
    }
    return tables;
  }

  /**
   * Puts tables in place of a plan's inputs; an input among them only changes its place. False if
   * the tree is gone.
   */
  @GuardedBy("installLock")
  private boolean install(MergePlan plan, List<LiveTable> tables) {
    if (discarded) {
      return false;
    }
    List<LiveTable> inputs = inputTables(plan);
    List<Integer> removed = new ArrayList<>();
    for (LiveTable input : inputs) {
      removed.add(input.fileId());
    }
    List<ComponentRecord> added = new ArrayList<>();
    List<Place> places = new ArrayList<>();
    for (LiveTable table : tables) {
      added.add(table.recordAt(plan.targetLevel(), 0));
      places.add(new Place(plan.targetLevel(), 0, table));
    }
    services.installer().install(new ReplaceComponents(tree.treeId(), removed, added, -1), null);
    DiskVersion next = tree.version().disk.replace(new HashSet<>(removed), places);
    tree.changeVersion(v -> v.withDisk(next));
    shapes.end(plan);
    compaction.noteMerged(plan.targetLevel(), removed, tables);
    tree.updateGate(shapes.now());
    inputs.removeAll(tables);
    services.store().retire(inputs, true);
    return true;
  }

  // ---- Load.

  /** See {@link LsmTree#installLoad}. */
  boolean installLoad(List<LiveTable> tables, long lsn, LoadInstaller installer) {
    installLock.lock();
    try {
      if (discarded) {
        return false;
      }
      List<ComponentRecord> added = new ArrayList<>();
      List<Place> places = new ArrayList<>();
      for (LiveTable table : tables) {
        added.add(table.recordAt(Level.LAST, 0));
        places.add(new Place(Level.LAST, 0, table));
      }
      DiskVersion loaded = DiskVersion.of(places);
      installer.install(
          new ReplaceComponents(tree.treeId(), List.of(), added, lsn),
          fromLsn -> {
            // Before the version, as after a flush.
            flushedLsn = Math.max(flushedLsn, fromLsn);
            tree.changeVersion(v -> v.loaded(loaded, fromLsn));
            tree.setLoading(false);
          });
      tree.updateGate(shapes.now());
      return true;
    } finally {
      installLock.unlock();
    }
  }

  // ---- End.

  /** See {@link LsmTree#discard}. */
  void discard(Runnable edit) {
    installLock.lock();
    try {
      edit.run();
      discarded = true;
      tree.gate().release();
      releaseIfDiscarded();
    } finally {
      installLock.unlock();
    }
  }

  /** Flushes and merges on their way still read their inputs. */
  @GuardedBy("installLock")
  private void releaseIfDiscarded() {
    if (!discarded || flushing || !shapes.isQuiet()) {
      return;
    }
    TreeVersion empty = TreeVersion.of(tree.newComponent(), DiskVersion.EMPTY);
    TreeVersion last = tree.takeVersion(empty);
    services.store().retire(last.disk.tables(), true);
    services.memory().retire(last.active);
    for (Frozen frozen : last.frozen) {
      services.memory().retire(frozen.component());
    }
  }
}
