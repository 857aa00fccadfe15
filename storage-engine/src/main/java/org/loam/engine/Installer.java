package org.loam.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageFiles.DirectoryLock;
import org.loam.common.error.FencedException;
import org.loam.common.error.InUseException;
import org.loam.common.error.StorageException;
import org.loam.log.CommitLog;
import org.loam.lsm.CommitGate;
import org.loam.lsm.ComponentInstaller;
import org.loam.lsm.LoadInstaller;
import org.loam.lsm.LsmTree;
import org.loam.lsm.manifest.ComponentRecord;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestEdit;
import org.loam.lsm.manifest.ManifestEdit.Change;
import org.loam.lsm.manifest.ManifestEdit.DropTree;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;
import org.loam.lsm.manifest.ManifestEdit.Truncate;
import org.loam.lsm.memory.MemoryComponent;

/**
 * Makes changes of components durable in the manifest, and truncates the log by what they flushed.
 * During recovery it collects the changes instead, so that recovery ends in one edit: a crash in
 * the middle leaves everything as it was. Thread-safe.
 */
final class Installer implements ComponentInstaller, LoadInstaller, CommitGate {
  private final Manifest manifest;
  private final DirectoryLock lock;
  private final CommitLog log;
  private final Committer committer;
  private final WorkFaults faults;
  private final Supplier<List<LsmTree>> trees;
  private final LongAdder flushes = new LongAdder();
  private final LongAdder flushedBytes = new LongAdder();
  private final LongAdder merges = new LongAdder();
  private final LongAdder mergedBytes = new LongAdder();
  private final LongAdder loads = new LongAdder();
  private final LongAdder loadedBytes = new LongAdder();
  private volatile @Nullable List<Change> collected = new ArrayList<>();

  Installer(
      Manifest manifest,
      DirectoryLock lock,
      CommitLog log,
      Committer committer,
      WorkFaults faults,
      Supplier<List<LsmTree>> trees) {
    this.manifest = manifest;
    this.lock = lock;
    this.log = log;
    this.committer = committer;
    this.faults = faults;
    this.trees = trees;
  }

  /** Ends recovery: the changes it collected, for its one edit. */
  List<Change> endRecovery() {
    List<Change> changes = collected;
    if (changes == null) {
      throw new AssertionError("recovery has ended before");
    }
    collected = null;
    return changes;
  }

  @Override
  public boolean mayFlush(long endLsn) {
    return true;
  }

  @Override
  public void awaitDurable(long endLsn) {
    if (collected == null) {
      log.awaitDurable(endLsn, Long.MAX_VALUE);
    }
  }

  @Override
  public void install(ReplaceComponents change, @Nullable MemoryComponent flushed) {
    if (flushed != null) {
      count(change, flushes, flushedBytes);
    } else {
      count(change, merges, mergedBytes);
    }
    List<Change> recovering = collected;
    if (recovering != null) {
      recovering.add(change);
      return;
    }
    if (flushed == null) {
      commit(ManifestEdit.of(change));
      faults.succeeded(false);
      return;
    }
    long truncation = truncationWithout(flushed);
    commit(ManifestEdit.of(change, new Truncate(truncation)));
    faults.succeeded(true);
    log.truncate(truncation);
  }

  /** Waits until a load can be made durable and shown without waiting; {@code install} follows. */
  void prepareLoad(long lsn) {
    // Write-ahead, as in a flush: the LSN of the entries must not be one that a crash takes away.
    awaitDurable(lsn + 1);
    committer.reserve(manifest);
  }

  @Override
  public void install(ReplaceComponents change, LongConsumer show) {
    commit(ManifestEdit.of(change));
    committer.publish(manifest, show);
    count(change, loads, loadedBytes);
  }

  /** Makes the manifest forget trees that take no more writes, and the log what only they need. */
  void drop(List<LsmTree> dropped) {
    long[] min = {0};
    long[] end = {0};
    committer.underLatch(
        () -> {
          end[0] = committer.appliedEnd();
          min[0] = log.durableLsn();
          for (LsmTree tree : trees.get()) {
            if (!dropped.contains(tree)) {
              min[0] = Math.min(min[0], tree.minUnflushedLsn(null));
            }
          }
        });
    long truncation = Math.max(min[0], manifest.read(state -> state.truncationLsn()));
    List<Change> changes = new ArrayList<>();
    dropped.forEach(tree -> changes.add(new DropTree(tree.treeId(), end[0])));
    changes.add(new Truncate(truncation));
    commit(new ManifestEdit(changes));
    log.truncate(truncation);
  }

  /** Whether everything in the log is on disk as well, or of no use. */
  boolean isMemoryEmpty() {
    boolean[] empty = new boolean[1];
    committer.underLatch(() -> empty[0] = holdsNothing());
    return empty[0];
  }

  private boolean holdsNothing() {
    return trees.get().stream().allMatch(tree -> tree.minUnflushedLsn(null) == Long.MAX_VALUE);
  }

  /** Truncates the log to its end if memory is empty; waits until that much of it is durable. */
  void truncateUnneeded() {
    long[] end = new long[1];
    committer.underLatch(() -> end[0] = holdsNothing() ? log.endLsn() : 0);
    if (end[0] > log.truncationLsn()) {
      awaitDurable(end[0]);
      commit(ManifestEdit.of(new Truncate(end[0])));
      log.truncate(end[0]);
    }
  }

  /**
   * Commits an edit and lets the log know how much of the manifest counts.
   *
   * @throws FencedException if it is unknown whether it counts, or another process has taken the
   *     directory; the engine is fenced then
   */
  void commit(ManifestEdit edit) {
    try {
      commitOwn(edit);
    } catch (FencedException e) {
      committer.fence(e);
      throw e;
    }
    // Read outside of the latch, which never waits for the manifest. A mark that comes too late
    // only says less.
    long fileNumber = manifest.fileNumber();
    long forcedBytes = manifest.forcedBytes();
    committer.underLatch(() -> log.mark(fileNumber, forcedBytes));
  }

  /** Commits while the directory is this engine's: another owner would not see the edit. */
  private void commitOwn(ManifestEdit edit) {
    try {
      lock.verify();
    } catch (InUseException e) {
      throw new FencedException("nothing was changed: " + e.getMessage(), e);
    }
    manifest.commit(edit);
    try {
      // An edit that another owner did not read must have no consequences, such as files that are
      // deleted.
      lock.verify();
    } catch (StorageException e) {
      throw new FencedException("it is not known whether an edit counts: " + e.getMessage(), e);
    }
  }

  /** Where a replay would have to start if a component were on disk. */
  private long truncationWithout(@Nullable MemoryComponent flushed) {
    long[] min = {Long.MAX_VALUE};
    committer.underLatch(
        () -> {
          min[0] = log.durableLsn();
          for (LsmTree tree : trees.get()) {
            min[0] = Math.min(min[0], tree.minUnflushedLsn(flushed));
          }
        });
    return Math.max(min[0], manifest.read(state -> state.truncationLsn()));
  }

  private static void count(ReplaceComponents change, LongAdder times, LongAdder bytesOfAll) {
    long bytes = 0;
    for (ComponentRecord added : change.added()) {
      if (!change.removed().contains(added.meta().fileId())) {
        bytes += added.meta().sizeBytes();
      }
    }
    times.increment();
    bytesOfAll.add(bytes);
  }

  long flushes() {
    return flushes.sum();
  }

  long flushedBytes() {
    return flushedBytes.sum();
  }

  long merges() {
    return merges.sum();
  }

  long mergedBytes() {
    return mergedBytes.sum();
  }

  long loads() {
    return loads.sum();
  }

  long loadedBytes() {
    return loadedBytes.sum();
  }
}
