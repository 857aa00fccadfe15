package org.loam.engine;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.lsm.merge.TableLoad;
import org.loam.scheduler.run.IoClass;
import org.loam.scheduler.run.RateLimiter;

/** The open bulk loads of an engine. Thread-safe. */
final class BulkLoads implements AutoCloseable {
  /** Instead of the LSN of a load: the tree has entries. */
  private static final long NOT_EMPTY = -1;

  private final Kernel kernel;
  private final RateLimiter limiter;
  private final Monitor changes;

  /** Guarded by {@link #changes}. */
  private final Set<BulkLoad> open = new HashSet<>();

  BulkLoads(Kernel kernel, RateLimiter limiter) {
    this.kernel = kernel;
    this.limiter = limiter;
    this.changes = kernel.env.waiter().newMonitor("open bulk loads");
  }

  /** See {@link Tree#bulkLoad}. */
  BulkLoad begin(Tree tree) {
    OperationContext context = kernel.operations.enter();
    try {
      long lsn = beginLoad(tree);
      if (lsn == NOT_EMPTY) {
        throw new IllegalStateException(
            tree
                + " has entries, and only an empty tree can be loaded; create another tree,"
                + " or compact this one if all of its entries were deleted");
      }
      BulkLoad load = open(tree, lsn);
      if (load == null) {
        throw new IllegalStateException(
            "as many bulk loads are open as there are buffers for, write.bulkLoads: "
                + kernel.config().write().bulkLoads()
                + "; commit or close one of them, or raise write.bulkLoads for the next open");
      }
      return load;
    } finally {
      kernel.operations.exit(context);
    }
  }

  /** See {@link Tree#tryBulkLoad}. */
  @Nullable BulkLoad tryBegin(Tree tree) {
    OperationContext context = kernel.operations.enter();
    try {
      long lsn = beginLoad(tree);
      return lsn == NOT_EMPTY ? null : open(tree, lsn);
    } finally {
      kernel.operations.exit(context);
    }
  }

  /**
   * Stops writes to the tree.
   *
   * @return an LSN that all writes to it so far are at or below, or {@link #NOT_EMPTY}
   */
  private long beginLoad(Tree tree) {
    kernel.committer.requireMayWait();
    long[] lsn = {NOT_EMPTY};
    kernel.committer.underLatch(
        () -> {
          tree.requireWritable();
          if (tree.lsm().beginLoad()) {
            lsn[0] = Math.max(0, kernel.committer.appliedEnd() - 1);
          }
        });
    return lsn[0];
  }

  /** Null if all buffers are in use; the tree takes writes again then. */
  private @Nullable BulkLoad open(Tree tree, long lsn) {
    TableLoad output = tree.lsm().openLoad(lsn);
    if (output == null) {
      kernel.committer.underLatch(tree.lsm()::endLoad);
      return null;
    }
    LoadPace pace = new LoadPace(limiter, limiter.newClaim(IoClass.MERGE));
    BulkLoad load = new BulkLoad(tree, output, pace, kernel.events.loadBegun(tree.lsm()));
    change(() -> open.add(load));
    return load;
  }

  /** A load has ended. */
  void remove(BulkLoad load) {
    change(() -> open.remove(load));
  }

  private void change(Runnable action) {
    changes.lock();
    try {
      action.run();
    } finally {
      changes.unlock();
    }
  }

  /** Ends those that were not committed; nobody may be inside of an operation. */
  @Override
  public void close() {
    for (BulkLoad load : List.copyOf(open)) {
      load.end();
    }
  }
}
