package org.loam.lsm;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.loam.lsm.disk.SSTableMeta;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;
import org.loam.lsm.merge.ComponentSink;
import org.loam.lsm.merge.Rewriter;
import org.loam.lsm.merge.TableStore;
import org.loam.lsm.version.DiskVersion;
import org.loam.lsm.version.LiveTable;
import org.loam.lsm.version.SortedRun;
import org.loam.scheduler.merge.KeyRange;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.MergePolicy;
import org.loam.scheduler.merge.PlanCheck;
import org.loam.scheduler.merge.TreeShape;
import org.loam.scheduler.work.BackgroundOperation;
import org.loam.scheduler.work.IoClass;

/** The merges of a tree, as many at a time as do not meet. Thread-safe. */
final class Merges {
  /** One of so many entries is worth a rewrite. */
  private static final int WORTHWHILE_ANTI_MATTER = 16;

  private final TreeState tree;
  private final TableStore store;
  private final InstallOrder order;
  private final Rewriter rewriter;
  private final ComponentInstaller installer;
  private final WorkObserver observer;
  private final Compaction compaction = new Compaction();

  Merges(
      TreeState tree,
      TableStore store,
      InstallOrder order,
      Rewriter rewriter,
      ComponentInstaller installer,
      WorkObserver observer) {
    this.tree = tree;
    this.store = store;
    this.order = order;
    this.rewriter = rewriter;
    this.installer = installer;
    this.observer = observer;
  }

  /** See {@link ComponentChanges#shape}. */
  TreeShape shape() {
    TreeShape shape;
    order.lock.lock();
    try {
      shape = order.shape();
    } finally {
      order.lock.unlock();
    }
    return shape.readable(rewriter.maxInputRuns());
  }

  /** See {@link ComponentChanges#requestCompaction}. */
  void requestCompaction() {
    order.lock.lock();
    try {
      compaction.request(tree.version().disk);
    } finally {
      order.lock.unlock();
    }
  }

  /** See {@link ComponentChanges#endCompactionRequest}. */
  void endCompactionRequest() {
    order.lock.lock();
    try {
      compaction.endRequest();
    } finally {
      order.lock.unlock();
    }
  }

  boolean isCompacting() {
    return compaction.isUnderWay();
  }

  /** The policy now: a compaction that is waited for has one of its own. */
  MergePolicy policy() {
    MergePolicy usual = order.behaviour().mergePolicy();
    Map<Long, KeyRange> wanted = compaction.wanted();
    return wanted.isEmpty() ? usual : new FullMerge(wanted, usual);
  }

  /** Starts a plan, unless the shape has changed so that it does not fit any more. */
  @Nullable BackgroundOperation open(MergePlan plan) {
    order.lock.lock();
    try {
      TreeShape shape = order.shape();
      boolean isInVain = plan.isWithinLast() && !compaction.wants(plan);
      if (tree.isDropped() || isInVain || PlanCheck.objection(shape, plan) != null) {
        return null;
      }
      IoClass ioClass = plan.fromLevel() == Level.L0 ? IoClass.L0 : IoClass.MERGE;
      boolean isLowest = shape.olderThan(plan).isEmpty();
      boolean move = plan.kind() == MergePlan.Kind.MOVE && !(isLowest && isWorthRewriting(plan));
      Sink sink = new Sink(plan, compaction.requests());
      BackgroundOperation merge =
          move
              ? new MoveOperation(ioClass, sink::move, sink::aborted)
              : rewriter.merge(
                  store,
                  ioClass,
                  tree.version().disk.select(plan.inputs()),
                  isLowest,
                  order.guards(shape, rewriter.settings().fineness()),
                  sink);
      if (merge != null) {
        order.shapes().begin(shape, plan);
        order.begun(sink);
        sink.ending = observer.mergeBegun(tree.name(), plan, shape, move);
      }
      return merge;
    } finally {
      order.lock.unlock();
    }
  }

  /**
   * Whether it is worthwhile to rewrite a table that could be moved: where nothing older lies
   * below, its anti-matter would take space until some later merge. A compaction leaves nothing
   * that can go.
   */
  private boolean isWorthRewriting(MergePlan plan) {
    LiveTable table = inputTables(plan).get(0);
    SSTableMeta.Counts counts = table.table().meta().counts();
    return counts.antiMatter() * WORTHWHILE_ANTI_MATTER > counts.entries()
        || (plan.targetLevel() == Level.LAST && table.mayShrink() && compaction.wants(plan));
  }

  private final class Sink implements ComponentSink {
    private final MergePlan plan;

    /** How many requests of a compaction there were when it began. */
    private final int requestsBefore;

    private WorkObserver.Ending ending = WorkObserver.Ending.NONE;

    Sink(MergePlan plan, int requestsBefore) {
      this.plan = plan;
      this.requestsBefore = requestsBefore;
    }

    @Override
    public void prepare() {}

    @Override
    public boolean install(List<LiveTable> tables) {
      order.lock.lock();
      try {
        if (order.isDiscarded()) {
          return false;
        }
        Merges.this.install(plan, tables);
        compaction.noteMerged(plan, requestsBefore, tables);
        order.ended(this);
        ending.installed(tables);
      } finally {
        order.lock.unlock();
      }
      order.deleteUnused();
      return true;
    }

    boolean move() {
      return install(inputTables(plan));
    }

    @Override
    public void aborted() {
      order.lock.lock();
      try {
        order.shapes().abort(plan);
        order.ended(this);
        ending.aborted();
      } finally {
        order.lock.unlock();
      }
      order.deleteUnused();
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

  /** Puts tables in place of a plan's inputs; an input among them only changes its place. */
  @GuardedBy("order.lock")
  private void install(MergePlan plan, List<LiveTable> tables) {
    List<LiveTable> inputs = inputTables(plan);
    List<Integer> removed = new ArrayList<>();
    for (LiveTable input : inputs) {
      removed.add(input.fileId());
    }
    AddedTables added = new AddedTables();
    tables.forEach(table -> added.add(plan.targetLevel(), 0, table));
    installer.install(new ReplaceComponents(tree.treeId(), removed, added.records(), -1));
    DiskVersion next = tree.version().disk.replace(new HashSet<>(removed), added.places());
    tree.changeVersion(v -> v.withDisk(next));
    order.shapes().end(plan);
    tree.noteMerged(tables.stream().filter(table -> !inputs.contains(table)).toList());
    order.updateGate();
    inputs.removeAll(tables);
    order.noteUnused(inputs);
  }
}
