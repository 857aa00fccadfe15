package org.loam.lsm;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.loam.lsm.TreeVersion.Frozen;
import org.loam.lsm.manifest.ComponentRecord;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.merge.FlushPart;
import org.loam.lsm.merge.FlushWrite;
import org.loam.lsm.merge.Rewriter;
import org.loam.lsm.merge.TableStore;
import org.loam.lsm.version.DiskVersion;
import org.loam.lsm.version.DiskVersion.Place;
import org.loam.lsm.version.LiveTable;
import org.loam.scheduler.merge.Guards;
import org.loam.scheduler.merge.Level;

/** The flushes of a tree, one at a time, the oldest component first. Thread-safe. */
final class Flushes {
  private final TreeState tree;
  private final InstallOrder order;
  private final Rewriter rewriter;
  private final ComponentInstaller installer;
  private final WorkObserver observer;

  @GuardedBy("order.lock")
  private boolean flushing;

  Flushes(
      TreeState tree,
      InstallOrder order,
      Rewriter rewriter,
      ComponentInstaller installer,
      WorkObserver observer) {
    this.tree = tree;
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
      Frozen[] frozen = tree.version().frozen;
      if (tree.isDropped() || flushing || frozen.length == 0) {
        return false;
      }
      Frozen oldest = frozen[frozen.length - 1];
      if (!services.gate().mayFlush(oldest.endLsn())
          || !group.admits(oldest.component().usedBytes())) {
        return false;
      }
      FlushWrite write = group.write(rewriter, installer);
      if (write == null) {
        return false;
      }
      Part part =
          new Part(
              oldest,
              tree.version().isLowest(oldest.component(), services.memoryEpochs()),
              order.guards(order.shapes().now(), rewriter.settings().fineness()));
      write.add(part);
      group.joined(part);
      flushing = true;
      order.begun(part);
      part.ending = observer.flushBegun(tree.name(), oldest.cause(), oldest.component());
      return true;
    } finally {
      order.lock.unlock();
    }
  }

  /** A component of the tree on its way to disk, in a group with those of other trees. */
  final class Part implements FlushPart {
    private final Frozen frozen;
    private final boolean isLowest;
    private final Guards guards;
    private WorkObserver.Ending ending = WorkObserver.Ending.NONE;
    private List<LiveTable> tables = List.of();
    private boolean installed;

    Part(Frozen frozen, boolean isLowest, Guards guards) {
      this.frozen = frozen;
      this.isLowest = isLowest;
      this.guards = guards;
    }

    int treeId() {
      return tree.treeId();
    }

    @Override
    public MemoryComponent component() {
      return frozen.component();
    }

    @Override
    public TableStore store() {
      return tree.services().store();
    }

    @Override
    public boolean isLowest() {
      return isLowest;
    }

    @Override
    public Guards guards() {
      return guards;
    }

    @Override
    public void prepare() {
      // Write-ahead: what is in a component must be in the log for good first. And only what is
      // published may be flushed, since a flush keeps just what readers need.
      tree.services().gate().awaitDurable(frozen.endLsn());
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
     * Adds the tables to an edit, and shows them once it is made; not if the tree was dropped.
     *
     * @param rest makes the edit, under the install lock of this tree and of others; if it throws,
     *     nothing has changed here
     */
    void install(FlushGroup.Edit edit, Runnable rest) {
      order.lock.lock();
      try {
        if (order.isDiscarded()) {
          rest.run();
          return;
        }
        Flushes.this.install(frozen, tables, edit, rest);
        installed = true;
        end();
        ending.installed(tables);
      } finally {
        order.lock.unlock();
      }
    }

    @Override
    public void aborted() {
      order.lock.lock();
      try {
        end();
        ending.aborted();
      } finally {
        order.lock.unlock();
      }
    }

    @GuardedBy("order.lock")
    private void end() {
      flushing = false;
      order.ended(this);
    }

    @Override
    public boolean isDropped() {
      return tree.isDropped();
    }
  }

  @GuardedBy("order.lock")
  private void install(Frozen frozen, List<LiveTable> tables, FlushGroup.Edit edit, Runnable rest) {
    DiskVersion disk = tree.version().disk;
    List<ComponentRecord> added = new ArrayList<>();
    List<Place> places = new ArrayList<>();
    for (LiveTable table : tables) {
      long group = disk.groupFor(table.component().range());
      places.add(new Place(Level.L0, group, table));
      added.add(table.recordAt(Level.L0, group));
    }
    MemoryComponent component = frozen.component();
    edit.add(new ReplaceComponents(tree.treeId(), List.of(), added, component.maxLsn()), component);
    rest.run();
    DiskVersion next = disk.replace(Set.of(), places);
    TreeServices.Memory memory = tree.services().memory();
    long leaving = memory.leave(component);
    // Before the version: a reader that does not find a write in memory any more finds it here.
    tree.noteFlushed(component.maxLsn());
    tree.changeVersion(v -> v.flushed(frozen, next));
    memory.retire(component, leaving);
    order.updateGate();
  }
}
