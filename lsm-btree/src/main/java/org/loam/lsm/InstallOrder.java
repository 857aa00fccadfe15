package org.loam.lsm;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.loam.common.env.Monitor;
import org.loam.common.mem.Epochs;
import org.loam.lsm.MemoryRanges.Frozen;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.merge.TableStore;
import org.loam.lsm.version.DiskVersion;
import org.loam.lsm.version.LiveTable;
import org.loam.scheduler.merge.Guards;
import org.loam.scheduler.merge.TreeShape;
import org.loam.scheduler.work.WriteControl;

/**
 * The order of the changes of a tree's components: one is put in place at a time, none after the
 * tree was discarded, and a discarded tree goes when the last open change has ended. Thread-safe.
 */
final class InstallOrder {
  /** Held across the manifest edit. */
  final Monitor lock;

  private final TreeState tree;
  private final TableStore store;
  private volatile TreeBehaviour behaviour;

  @GuardedBy("lock")
  private final TreeShapes shapes;

  @GuardedBy("lock")
  private Guards guards = Guards.NONE;

  @GuardedBy("lock")
  private final Set<Object> openChanges = new HashSet<>();

  @GuardedBy("lock")
  private boolean discarded;

  @GuardedBy("lock")
  private final List<LiveTable> unused = new ArrayList<>();

  InstallOrder(TreeState tree, TableStore store, TreeBehaviour behaviour) {
    this.tree = tree;
    this.store = store;
    this.behaviour = behaviour;
    this.shapes = new TreeShapes(tree);
    this.lock = tree.services().env().waiter().newMonitor("install lock of tree " + tree.name());
  }

  /** What merges tell of their beginning and end. */
  @GuardedBy("lock")
  TreeShapes shapes() {
    return shapes;
  }

  /** How the tree behaves. */
  TreeBehaviour behaviour() {
    return behaviour;
  }

  @GuardedBy("lock")
  void change(TreeBehaviour changed) {
    behaviour = changed;
    updateGate();
  }

  /** What merge policies see of the tree now. */
  @GuardedBy("lock")
  TreeShape shape() {
    return shapes.now(memoryComponentBytes());
  }

  private long memoryComponentBytes() {
    return tree.memoryShare().of(behaviour.memoryBytes().getAsLong());
  }

  /** Tables of a flush are in their place: opens or shuts the gate for them. */
  @GuardedBy("lock")
  void flushed(long bytes) {
    shapes.flushed(bytes, memoryComponentBytes());
    updateGate();
  }

  /** Opens or shuts the gate, or sets the pace, as the behaviour says of the shape now. */
  @GuardedBy("lock")
  void updateGate() {
    TreeBehaviour now = behaviour;
    TreeShape shape = shape();
    WriteControl.L0 l0 =
        new WriteControl.L0(
            shape.l0Depth(),
            now.mergePolicy().l0Due(shape),
            shape.l0Bytes(),
            shape.l0Fill(now.levelRatio()));
    tree.gate().update(now.constraint().violation(shape), now.writeControl(), l0);
    tree.setAims(
        new TreeState.Aims(
            now.mergePolicy().targets(shape)::targetBytes, l0.due(), shape.lately().mergedDepth()));
  }

  /** Where new tables are cut in a tree of a shape. */
  @GuardedBy("lock")
  Guards guards(TreeShape shape, Guards.Fineness fineness) {
    guards = guards.fitted(shape, fineness, tree.version().memory.bounds().lows());
    return guards;
  }

  /** The same for a flush, which may give a tree its first guards. */
  @GuardedBy("lock")
  Guards guards(TreeShape shape, Guards.Fineness fineness, List<Frozen> flushed) {
    Guards fitted = guards(shape, fineness);
    Frozen first = flushed.get(0);
    if (flushed.size() == 1 && isOfAllKeys(first)) {
      MemoryComponent largest =
          first
              .components()
              .max(Comparator.comparingLong(MemoryComponent::usedBytes))
              .orElseThrow();
      guards =
          fitted.orOfFlush(shape, first.usedBytes(), fineness, pieces -> divide(largest, pieces));
    }
    return guards;
  }

  /**
   * Of several ranges, each has keys of its own. So has a run that leaves others in memory; but
   * several that leave none are of all keys together.
   */
  private boolean isOfAllKeys(Frozen flushed) {
    TreeVersion now = tree.version();
    boolean isOfAll =
        flushed.runs().size() == 1
            ? flushed.keys().low() == null && flushed.keys().end() == null
            : now.levels.isEmpty() && now.frozen.length == 1;
    return now.memory.count() == 1 && isOfAll;
  }

  private List<byte[]> divide(MemoryComponent component, int pieces) {
    Epochs epochs = tree.services().memoryEpochs();
    int slot = epochs.enter();
    try {
      return component.divide(pieces);
    } finally {
      epochs.exit(slot);
    }
  }

  /** A change is on its way: what it reads stays until {@link #ended}. */
  @GuardedBy("lock")
  void begun(Object change) {
    openChanges.add(change);
  }

  /** A change has ended, in place or not. */
  @GuardedBy("lock")
  void ended(Object change) {
    openChanges.remove(change);
    releaseIfDiscarded();
  }

  /** Whether nothing is put in place any more. */
  @GuardedBy("lock")
  boolean isDiscarded() {
    return discarded;
  }

  /** No version names the tables any more: see {@link #deleteUnused}. */
  @GuardedBy("lock")
  void noteUnused(List<LiveTable> tables) {
    unused.addAll(tables);
  }

  /**
   * Deletes the files of tables that came out of use, as soon as no reader is inside. Not to be
   * called under the lock of any tree: to delete many files takes longer than a flush, which needs
   * the lock, and for which writers wait.
   */
  void deleteUnused() {
    List<LiveTable> tables;
    lock.lock();
    try {
      tables = List.copyOf(unused);
      unused.clear();
    } finally {
      lock.unlock();
    }
    store.retire(tables, true);
  }

  /** See {@link ComponentChanges#discard}. */
  @GuardedBy("lock")
  void discard(Runnable edit) {
    edit.run();
    discarded = true;
    tree.gate().release();
    releaseIfDiscarded();
  }

  /** Flushes and merges on their way still read their inputs. */
  @GuardedBy("lock")
  private void releaseIfDiscarded() {
    if (!discarded || !openChanges.isEmpty()) {
      return;
    }
    TreeServices services = tree.services();
    TreeVersion empty = TreeVersion.of(tree.newComponent(), DiskVersion.EMPTY);
    TreeVersion last = tree.takeVersion(empty);
    noteUnused(last.disk.tables());
    last.memory.actives().forEach(services.memory()::retire);
    last.levels.all().forEach(run -> services.memory().retire(run.component()));
    for (Frozen frozen : last.frozen) {
      frozen.components().forEach(services.memory()::retire);
    }
  }

  /** See {@link ComponentChanges#close}. */
  void close() {
    TreeVersion last = tree.version();
    last.disk.tables().forEach(store::closeQuietly);
    last.memory.actives().forEach(MemoryComponent::release);
    last.levels.all().forEach(run -> run.component().release());
    for (Frozen frozen : last.frozen) {
      frozen.components().forEach(MemoryComponent::release);
    }
  }
}
