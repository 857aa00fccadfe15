package org.loam.lsm;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.loam.lsm.TreeVersion.Frozen;
import org.loam.lsm.manifest.ComponentRecord;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;
import org.loam.lsm.merge.ComponentSink;
import org.loam.lsm.merge.Rewriter;
import org.loam.lsm.version.DiskVersion;
import org.loam.lsm.version.DiskVersion.Place;
import org.loam.lsm.version.LiveTable;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.run.BackgroundOperation;

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

  /** See {@link ComponentChanges#openFlush}. */
  @Nullable BackgroundOperation open() {
    order.lock.lock();
    try {
      TreeServices services = tree.services();
      Frozen[] frozen = tree.version().frozen;
      if (tree.isDropped() || flushing || frozen.length == 0) {
        return null;
      }
      Frozen oldest = frozen[frozen.length - 1];
      if (!services.gate().mayFlush(oldest.endLsn())) {
        return null;
      }
      Sink sink = new Sink(oldest);
      BackgroundOperation flush =
          rewriter.flush(
              services.store(),
              oldest.component(),
              tree.version().isLowest(oldest.component(), services.memoryEpochs()),
              order.guards(order.shapes().now(), rewriter.settings().fineness()),
              sink);
      if (flush != null) {
        flushing = true;
        order.begun(sink);
        sink.ending = observer.flushBegun(tree.name(), oldest.cause(), oldest.component());
      }
      return flush;
    } finally {
      order.lock.unlock();
    }
  }

  private final class Sink implements ComponentSink {
    private final Frozen frozen;
    private WorkObserver.Ending ending = WorkObserver.Ending.NONE;

    Sink(Frozen frozen) {
      this.frozen = frozen;
    }

    @Override
    public void prepare() {
      // Write-ahead: what is in a component must be in the log for good first. And only what is
      // published may be flushed, since a flush keeps just what readers need.
      tree.services().gate().awaitDurable(frozen.endLsn());
    }

    @Override
    public boolean install(List<LiveTable> tables) {
      order.lock.lock();
      try {
        if (order.isDiscarded()) {
          return false;
        }
        Flushes.this.install(frozen, tables);
        end();
        ending.installed(tables);
        return true;
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
  private void install(Frozen frozen, List<LiveTable> tables) {
    DiskVersion disk = tree.version().disk;
    List<ComponentRecord> added = new ArrayList<>();
    for (LiveTable table : tables) {
      long group = disk.groupFor(table.component().range());
      disk = disk.replace(Set.of(), List.of(new Place(Level.L0, group, table)));
      added.add(table.recordAt(Level.L0, group));
    }
    installer.install(
        new ReplaceComponents(tree.treeId(), List.of(), added, frozen.component().maxLsn()),
        frozen.component());
    DiskVersion next = disk;
    // Before the version: a reader that does not find a write in memory any more finds it here.
    tree.noteFlushed(frozen.component().maxLsn());
    tree.changeVersion(v -> v.flushed(frozen, next));
    order.updateGate();
    tree.services().memory().retire(frozen.component());
  }
}
