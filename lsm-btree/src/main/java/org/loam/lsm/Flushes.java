package org.loam.lsm;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.loam.lsm.MemoryRanges.Frozen;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryRun;
import org.loam.lsm.merge.FlushPart;
import org.loam.lsm.merge.FlushWrite;
import org.loam.lsm.merge.Rewriter;
import org.loam.lsm.merge.TableStore;
import org.loam.lsm.version.DiskVersion;
import org.loam.lsm.version.LiveTable;
import org.loam.scheduler.merge.Guards;
import org.loam.scheduler.merge.Level;

/**
 * The flushes of a tree: of components with a key in common one at a time, the oldest first, of
 * others side by side. Thread-safe.
 */
final class Flushes {
  private final TreeState tree;
  private final TableStore store;
  private final InstallOrder order;
  private final Rewriter rewriter;
  private final ComponentInstaller installer;
  private final WorkObserver observer;

  /** Those on their way to disk. */
  @GuardedBy("order.lock")
  private final Set<Frozen> flushing = new HashSet<>();

  Flushes(
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

  /** See {@link ComponentChanges#joinFlush}. */
  boolean join(FlushGroup group) {
    // Most of many trees have nothing to flush. What is frozen after this look comes with a signal.
    if (tree.version().frozen.length == 0) {
      return false;
    }
    order.lock.lock();
    try {
      TreeServices services = tree.services();
      List<Frozen> oldest = admitted(tree.version().oldest(flushing), group);
      if (tree.isDropped()
          || oldest.isEmpty()
          || !services.gate().mayFlush(oldest.get(0).endLsn())) {
        return false;
      }
      FlushWrite write = group.write(rewriter, installer);
      if (write == null) {
        return false;
      }
      Part part =
          new Part(oldest, tree.version().areLowest(oldest, services.memoryEpochs()), cuts(oldest));
      write.add(part);
      group.joined(part);
      flushing.addAll(oldest);
      order.begun(part);
      part.ending = observer.flushBegun(tree.name(), oldest.get(0).cause(), part.components());
      return true;
    } finally {
      order.lock.unlock();
    }
  }

  @GuardedBy("order.lock")
  private List<byte[]> cuts(List<Frozen> pieces) {
    Guards.Fineness fineness = rewriter.settings().fineness();
    List<byte[]> guards =
        order
            .guards(order.shape(), fineness, pieces)
            .within(TreeVersion.keysOf(pieces, tree.services().memoryEpochs()));
    return FlushCuts.of(pieces, guards, fineness.minPieceBytes());
  }

  /** Those of some components that may join a group. */
  private static List<Frozen> admitted(List<Frozen> all, FlushGroup group) {
    List<Frozen> some = new ArrayList<>();
    long bytes = 0;
    for (Frozen one : all) {
      long more = one.usedBytes();
      if (group.admits(some.size() + 1, bytes + more)) {
        some.add(one);
        bytes += more;
      }
    }
    return some;
  }

  /** Components of the tree on their way to disk, in a group with those of other trees. */
  final class Part implements FlushPart {
    private final List<Frozen> frozen;
    private final boolean isLowest;
    private final List<byte[]> cuts;
    private WorkObserver.Ending ending = WorkObserver.Ending.NONE;
    private List<LiveTable> tables = List.of();
    private long consumedBytes;
    private boolean installed;
    private boolean aborted;

    Part(List<Frozen> frozen, boolean isLowest, List<byte[]> cuts) {
      this.frozen = frozen;
      this.isLowest = isLowest;
      this.cuts = cuts;
    }

    @Override
    public int treeId() {
      return tree.treeId();
    }

    @Override
    public List<List<MemoryRun>> pieces() {
      return frozen.stream().map(Frozen::runs).toList();
    }

    @Override
    public TableStore store() {
      return store;
    }

    @Override
    public boolean isLowest() {
      return isLowest;
    }

    @Override
    public List<byte[]> cuts() {
      return cuts;
    }

    @Override
    public void prepare() {
      // Write-ahead: what is in a component must be in the log for good first. And only what is
      // published may be flushed, since a flush keeps just what readers need.
      tree.services().gate().awaitDurable(frozen.get(0).endLsn());
    }

    @Override
    public void advanced(long consumed) {
      tree.noteFlushing(consumed - consumedBytes);
      consumedBytes = consumed;
    }

    @Override
    public void written(List<LiveTable> made) {
      tables = made;
    }

    @Override
    public boolean isInstalled() {
      return installed;
    }

    /**
     * Adds the tables to an edit, and shows them once it is made; not if the tree was dropped, or
     * the components were given back because it was about to be.
     *
     * @param rest makes the edit, under the install lock of this tree and of others; if it throws,
     *     nothing has changed here
     */
    void install(FlushGroup.Edit edit, Runnable rest) {
      order.lock.lock();
      try {
        if (aborted || order.isDiscarded()) {
          rest.run();
          return;
        }
        Flushes.this.install(this, edit, rest);
        installed = true;
        end(this);
        ending.installed(tables);
      } finally {
        order.lock.unlock();
      }
    }

    @Override
    public void aborted() {
      order.lock.lock();
      try {
        aborted = true;
        advanced(0);
        tree.noteFlushEnded(true);
        end(this);
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

  @GuardedBy("order.lock")
  private void end(Part part) {
    part.frozen.forEach(flushing::remove);
    order.ended(part);
  }

  @GuardedBy("order.lock")
  private void install(Part part, FlushGroup.Edit edit, Runnable rest) {
    DiskVersion disk = tree.version().disk;
    AddedTables added = new AddedTables();
    for (LiveTable table : part.tables) {
      added.add(Level.L0, disk.groupFor(table.component().range()), table);
    }
    List<MemoryComponent> components = part.components();
    long maxLsn = components.stream().mapToLong(MemoryComponent::maxLsn).max().orElse(-1);
    edit.add(
        () -> {
          long durableLsn = tree.durableLsnWithout(components, maxLsn);
          return new ReplaceComponents(tree.treeId(), List.of(), added.records(), durableLsn);
        },
        components);
    rest.run();
    DiskVersion next = disk.replace(Set.of(), added.places());
    TreeServices.Memory memory = tree.services().memory();
    long[] leaving = components.stream().mapToLong(memory::leave).toArray();
    // Before the version: a reader that does not find a write in memory any more finds it here.
    tree.noteFlushed(maxLsn);
    tree.noteFlushed(part.frozen.get(0).cause(), part.tables);
    // Before the version as well, or memory would seem to be written that waits for a flush.
    part.advanced(0);
    tree.noteFlushEnded(false);
    tree.changeVersion(v -> v.flushed(part.frozen, next));
    for (int i = 0; i < leaving.length; i++) {
      memory.retire(components.get(i), leaving[i]);
    }
    order.flushed(TreeState.bytes(part.tables));
  }
}
