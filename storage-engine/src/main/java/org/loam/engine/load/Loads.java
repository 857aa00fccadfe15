package org.loam.engine.load;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;
import org.loam.engine.commit.Admission;
import org.loam.engine.commit.CommitLatch;
import org.loam.engine.commit.WritePath;
import org.loam.engine.notify.Events;
import org.loam.engine.operation.OperationContext;
import org.loam.engine.operation.Operations;
import org.loam.engine.tree.Installer;
import org.loam.engine.tree.TreeCatalog;
import org.loam.lsm.ComponentChanges;
import org.loam.lsm.LsmTree;
import org.loam.lsm.merge.TableLoad;
import org.loam.scheduler.work.IoClass;
import org.loam.scheduler.work.RateLimiter;

/** The open bulk loads of an engine. Thread-safe. */
public final class Loads implements AutoCloseable {
  /** No LSN: the tree has entries, and is not being loaded. */
  private static final long HAS_ENTRIES = -1;

  /**
   * What loads work with.
   *
   * @param limiter bounds what they write
   */
  public record Parts(
      Operations operations,
      WritePath writes,
      Installer installer,
      TreeCatalog trees,
      RateLimiter limiter,
      Events events) {}

  private final Operations operations;
  private final WritePath writes;
  private final Installer installer;
  private final TreeCatalog trees;
  private final RateLimiter limiter;
  private final Events events;
  private final Monitor changes;

  @GuardedBy("changes")
  private final Set<Load> open = new LinkedHashSet<>();

  public Loads(Waiter waiter, Parts parts) {
    this.operations = parts.operations();
    this.writes = parts.writes();
    this.installer = parts.installer();
    this.trees = parts.trees();
    this.limiter = parts.limiter();
    this.events = parts.events();
    this.changes = waiter.newMonitor("open bulk loads");
  }

  Operations operations() {
    return operations;
  }

  CommitLatch latch() {
    return writes.latch();
  }

  Admission admission() {
    return writes.admission();
  }

  /** What puts the tables of a load into its tree. */
  ComponentChanges componentsOf(LsmTree tree) {
    return trees.componentsOf(tree);
  }

  Installer installer() {
    return installer;
  }

  /**
   * Begins a load.
   *
   * @param buffers how many loads there are buffers for
   * @throws IllegalStateException if the tree has an entry, is being loaded already, or if there is
   *     no buffer left
   */
  public Load begin(LsmTree tree, int buffers) {
    OperationContext context = operations.enter();
    try {
      long lsn = beginLoad(tree);
      if (lsn == HAS_ENTRIES) {
        throw new IllegalStateException(
            tree
                + " has entries, and only an empty tree can be loaded; create another tree,"
                + " or compact this one if all of its entries were deleted"
                + " and no open snapshot or cursor needs them");
      }
      Load load = open(tree, lsn);
      if (load == null) {
        throw new IllegalStateException(
            "as many bulk loads are open as there are buffers for, write.bulkLoads: "
                + buffers
                + "; commit or close one of them, or raise write.bulkLoads for the next open");
      }
      return load;
    } finally {
      operations.exit(context);
    }
  }

  /** Begins a load; null if the tree has an entry, or there is no buffer left. */
  public @Nullable Load tryBegin(LsmTree tree) {
    OperationContext context = operations.enter();
    try {
      long lsn = beginLoad(tree);
      return lsn == HAS_ENTRIES ? null : open(tree, lsn);
    } finally {
      operations.exit(context);
    }
  }

  /**
   * Stops writes to the tree.
   *
   * @return an LSN that all writes to the tree so far are at or below, or {@link #HAS_ENTRIES}
   */
  private long beginLoad(LsmTree tree) {
    admission().requireMayWait();
    long[] lsn = {HAS_ENTRIES};
    try {
      latch()
          .underLatch(
              () -> {
                operations.requireOpen();
                tree.requireWritable();
                if (tree.beginLoad()) {
                  lsn[0] = Math.max(0, latch().appliedEnd() - 1);
                }
              });
    } catch (Throwable t) {
      if (lsn[0] != HAS_ENTRIES) {
        latch().underLatch(tree::endLoad);
      }
      throw t;
    }
    return lsn[0];
  }

  /** Null if all buffers are in use; the tree takes writes again then. */
  private @Nullable Load open(LsmTree tree, long lsn) {
    TableLoad output = null;
    Load load = null;
    try {
      output = trees.componentsOf(tree).openLoad(lsn);
      load = output == null ? null : open(tree, output);
      return load;
    } finally {
      if (load == null) {
        latch().underLatch(tree::endLoad);
        if (output != null) {
          output.abandon();
        }
      }
    }
  }

  private Load open(LsmTree tree, TableLoad output) {
    LoadPace pace = new LoadPace(limiter, limiter.newClaim(IoClass.MERGE));
    Load load = new Load(this, tree, output, pace, events.loadBegun(tree.name()));
    changes.lock();
    try {
      open.add(load);
    } finally {
      changes.unlock();
    }
    return load;
  }

  /** A load has ended. */
  void remove(Load load) {
    changes.lock();
    try {
      open.remove(load);
    } finally {
      changes.unlock();
    }
  }

  /** Ends those that were not committed; no operation may be under way. */
  @Override
  public void close() {
    List<Load> left;
    changes.lock();
    try {
      left = List.copyOf(open);
    } finally {
      changes.unlock();
    }
    left.forEach(Load::end);
  }
}
