package org.loam.engine.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.loam.engine.commit.CommitLatch;
import org.loam.engine.commit.MarkedChanges;
import org.loam.engine.commit.WorkFaults;
import org.loam.log.CommitLog;
import org.loam.lsm.ComponentInstaller;
import org.loam.lsm.LoadInstaller;
import org.loam.lsm.LsmTree;
import org.loam.lsm.TreeServices.CommitGate;
import org.loam.lsm.manifest.ComponentRecord;
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
public final class Installer implements ComponentInstaller, LoadInstaller, CommitGate {
  private final ManifestEdits edits;
  private final CommitLog log;
  private final CommitLatch latch;
  private final MarkedChanges marks;
  private final WorkFaults faults;
  private final Supplier<List<LsmTree>> trees;
  private final LongAdder flushes = new LongAdder();
  private final LongAdder flushedBytes = new LongAdder();
  private final LongAdder merges = new LongAdder();
  private final LongAdder mergedBytes = new LongAdder();
  private final LongAdder loads = new LongAdder();
  private final LongAdder loadedBytes = new LongAdder();
  private volatile @Nullable List<Change> collected = new ArrayList<>();

  public Installer(
      ManifestEdits edits,
      CommitLog log,
      CommitLatch latch,
      MarkedChanges marks,
      WorkFaults faults,
      Supplier<List<LsmTree>> trees) {
    this.edits = edits;
    this.log = log;
    this.latch = latch;
    this.marks = marks;
    this.faults = faults;
    this.trees = trees;
  }

  /** Ends recovery: what it collected counts from now on, or it is not known whether it does. */
  public void endRecovery() {
    if (collected == null) {
      throw new AssertionError("recovery has ended before");
    }
    collected = null;
  }

  /** What recovery has collected so far, as long as none of it may count. */
  public List<Change> uncounted() {
    List<Change> changes = collected;
    return changes == null ? List.of() : List.copyOf(changes);
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
  public void install(ReplaceComponents merge) {
    edits.commit(ManifestEdit.of(merge));
    count(merge, merges, mergedBytes);
    faults.mergeSucceeded();
    faults.forgetDamage(merge.treeId());
  }

  @Override
  public void install(List<Supplier<ReplaceComponents>> flushed, List<MemoryComponent> components) {
    List<ReplaceComponents> changes = new ArrayList<>();
    List<Change> recovering = collected;
    long[] min = new long[1];
    latch.underLatch(
        () -> {
          flushed.forEach(change -> changes.add(change.get()));
          min[0] = recovering == null ? firstNeededLsn(components) : 0;
        });
    if (recovering != null) {
      recovering.addAll(changes);
      countFlushes(changes);
      return;
    }
    long truncation = Math.max(min[0], edits.truncationLsn());
    List<Change> edit = new ArrayList<>(changes);
    edit.add(new Truncate(truncation));
    edits.commit(new ManifestEdit(edit));
    countFlushes(changes);
    faults.flushSucceeded(directoriesOf(changes));
    log.truncate(truncation);
  }

  private Set<Integer> directoriesOf(List<ReplaceComponents> changes) {
    Set<Integer> ids =
        changes.stream().map(ReplaceComponents::treeId).collect(Collectors.toUnmodifiableSet());
    return trees.get().stream()
        .filter(tree -> ids.contains(tree.treeId()))
        .map(LsmTree::directory)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Waits until a load can be made durable and shown without waiting; {@code install} follows. */
  public void prepareLoad() {
    // Write-ahead, as in a flush: no crash takes away the LSN of the entries, or earlier writes.
    latch.awaitDurable();
    marks.reserve();
  }

  /** Gives up what {@link #prepareLoad} prepared. */
  public void cancelLoad() {
    marks.unreserve();
  }

  @Override
  public void install(ReplaceComponents change, LongConsumer show) {
    edits.commit(ManifestEdit.of(change));
    marks.publish(show);
    count(change, loads, loadedBytes);
  }

  /** Makes the manifest forget trees that take no more writes, and the log what only they need. */
  void drop(List<LsmTree> dropped) {
    // Before the look: a flush that comes after it may fail.
    Map<Integer, WorkFaults.Failure> known = faults.ofFlushes();
    long[] end = new long[1];
    long[] durable = new long[1];
    long[] unflushed = new long[1];
    latch.underLatch(
        () -> {
          end[0] = latch.appliedEnd();
          durable[0] = log.durableLsn();
          unflushed[0] = minUnflushedLsn(dropped, List.of());
        });
    long truncation = Math.max(Math.min(durable[0], unflushed[0]), edits.truncationLsn());
    List<Change> changes = new ArrayList<>();
    dropped.forEach(tree -> changes.add(new DropTree(tree.treeId(), end[0])));
    changes.add(new Truncate(truncation));
    edits.commit(new ManifestEdit(changes));
    log.truncate(truncation);
    if (unflushed[0] == Long.MAX_VALUE) {
      // No flush is to come that would say so.
      faults.endedForFlushes(known);
    }
  }

  /** Whether everything in the log is on disk as well, or of no use. */
  public boolean isMemoryEmpty() {
    boolean[] empty = new boolean[1];
    latch.underLatch(() -> empty[0] = holdsNothing());
    return empty[0];
  }

  private boolean holdsNothing() {
    return minUnflushedLsn(List.of(), List.of()) == Long.MAX_VALUE;
  }

  /** Truncates the log to its end if memory is empty; waits until that much of it is durable. */
  public void truncateUnneeded() {
    // Before the look: a flush that comes after it may fail.
    Map<Integer, WorkFaults.Failure> known = faults.ofFlushes();
    long[] end = new long[1];
    latch.underLatch(() -> end[0] = holdsNothing() ? log.endLsn() : 0);
    if (end[0] > log.truncationLsn()) {
      awaitDurable(end[0]);
      edits.commit(ManifestEdit.of(new Truncate(end[0])));
      log.truncate(end[0]);
      // No flush is to come that would say so.
      faults.endedForFlushes(known);
    }
  }

  /** Where a replay would have to start if components were on disk. Under the commit latch. */
  private long firstNeededLsn(List<MemoryComponent> flushed) {
    return Math.min(log.durableLsn(), minUnflushedLsn(List.of(), flushed));
  }

  /** The oldest write in memory without some trees and components; under the commit latch. */
  private long minUnflushedLsn(List<LsmTree> dropped, List<MemoryComponent> flushed) {
    long min = Long.MAX_VALUE;
    for (LsmTree tree : trees.get()) {
      if (!dropped.contains(tree)) {
        min = Math.min(min, tree.minUnflushedLsn(flushed));
      }
    }
    return min;
  }

  private void countFlushes(List<ReplaceComponents> done) {
    done.forEach(flush -> count(flush, flushes, flushedBytes));
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

  public long flushes() {
    return flushes.sum();
  }

  public long flushedBytes() {
    return flushedBytes.sum();
  }

  public long merges() {
    return merges.sum();
  }

  public long mergedBytes() {
    return mergedBytes.sum();
  }

  public long loads() {
    return loads.sum();
  }

  public long loadedBytes() {
    return loadedBytes.sum();
  }
}
