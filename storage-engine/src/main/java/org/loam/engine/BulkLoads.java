package org.loam.engine;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.loam.common.env.Monitor;
import org.loam.lsm.merge.TableLoad;
import org.loam.scheduler.run.IoClass;
import org.loam.scheduler.run.RateLimiter;

/** The open bulk loads of an engine. Thread-safe. */
final class BulkLoads implements AutoCloseable {
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
      kernel.committer.requireMayWait();
      long lsn = beginLoad(tree);
      TableLoad output = tree.lsm().openLoad(lsn);
      if (output == null) {
        kernel.committer.underLatch(tree.lsm()::endLoad);
        throw new IllegalStateException(
            "as many bulk loads are open as there are buffers for, write.bulkLoads: "
                + kernel.config().write().bulkLoads()
                + "; commit or close one of them, or raise write.bulkLoads for the next open");
      }
      LoadPace pace = new LoadPace(limiter, limiter.newClaim(IoClass.MERGE));
      BulkLoad load = new BulkLoad(tree, output, pace, kernel.events.loadBegun(tree.lsm()));
      change(() -> open.add(load));
      return load;
    } finally {
      kernel.operations.exit(context);
    }
  }

  /** Stops writes to the tree; returns an LSN that all writes to it so far are at or below. */
  private long beginLoad(Tree tree) {
    long[] lsn = new long[1];
    kernel.committer.underLatch(
        () -> {
          tree.requireWritable();
          if (!tree.lsm().beginLoad()) {
            throw new IllegalStateException(
                tree
                    + " has entries, and only an empty tree can be loaded; create another tree,"
                    + " or compact this one if all of its entries were deleted");
          }
          lsn[0] = Math.max(0, kernel.committer.appliedEnd() - 1);
        });
    return lsn[0];
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
