package org.loam.tuner.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import org.loam.tuner.cost.TreeSample;

/** The trees of a workload, their write memory and their log. */
final class WriteSide {
  /** One in so many writes looks at the shares of the trees. */
  private static final int LOOK_EVERY = 64;

  /** Recent writes are those of about so many. */
  private static final double WINDOW = 20_000;

  private final Workload workload;
  private final List<LsmTreeModel> trees = new ArrayList<>();
  private final double[] recentWrites;
  private final long logBytes;
  private long limitBytes;
  private long usedBytes;
  private long flushedBytes;
  private double mergedBytes;
  private long lsn;
  private long writes;
  private double usedSum;
  private long looks;

  /**
   * @param limitBytes the write memory
   * @param logBytes length of the log at which memory is flushed
   */
  WriteSide(Workload workload, long limitBytes, long logBytes) {
    this.workload = workload;
    this.limitBytes = limitBytes;
    this.logBytes = logBytes;
    this.recentWrites = new double[workload.trees().size()];
    for (int i = 0; i < workload.trees().size(); i++) {
      trees.add(new LsmTreeModel(i, workload.trees().get(i)));
    }
  }

  /** Sets the write memory; shrinking flushes at once. */
  void resize(long bytes) {
    limitBytes = bytes;
    makeRoom();
  }

  /** Of a key and its tree. */
  static long id(int tree, int key) {
    return (long) tree << 32 | key;
  }

  /** The tree of an {@link #id}. */
  static int tree(long id) {
    return (int) (id >>> 32);
  }

  /** Writes a key of some tree; its {@link #id}. */
  long write(SplittableRandom random) {
    int tree = workload.writtenTree(random);
    int key = workload.trees().get(tree).writes().next(random);
    lsn += LsmTreeModel.RECORD_BYTES;
    usedBytes += trees.get(tree).write(key, lsn);
    recentWrites[tree] += 1;
    if (++writes % LOOK_EVERY == 0) {
      look();
    }
    makeRoom();
    return id(tree, key);
  }

  private void look() {
    for (int i = 0; i < recentWrites.length; i++) {
      recentWrites[i] *= 1 - LOOK_EVERY / WINDOW;
      trees.get(i).look(usedBytes);
    }
    usedSum += Math.min(1, (double) usedBytes / limitBytes);
    looks++;
    while (lsn - oldest().oldestLsn() > logBytes) {
      flush(oldest(), LsmTreeModel::flushForLog);
    }
  }

  private LsmTreeModel oldest() {
    LsmTreeModel oldest = trees.get(0);
    for (LsmTreeModel tree : trees) {
      oldest = tree.oldestLsn() < oldest.oldestLsn() ? tree : oldest;
    }
    return oldest;
  }

  /** The optimal policy: the tree whose part of the memory is most above its part of the writes. */
  private void makeRoom() {
    while (usedBytes > limitBytes) {
      double all = 0;
      for (double recent : recentWrites) {
        all += recent;
      }
      int chosen = 0;
      double most = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < recentWrites.length; i++) {
        double memory = (double) trees.get(i).memoryBytes() / usedBytes;
        double above = memory - recentWrites[i] / all;
        if (memory > 0 && above > most) {
          most = above;
          chosen = i;
        }
      }
      flush(trees.get(chosen), LsmTreeModel::flushForMemory);
    }
  }

  private void flush(LsmTreeModel tree, ToLongFunction<LsmTreeModel> flush) {
    double mergedBefore = tree.mergedBytes();
    long bytes = flush.applyAsLong(tree);
    usedBytes -= bytes;
    flushedBytes += bytes;
    mergedBytes += tree.mergedBytes() - mergedBefore;
  }

  /** Whether write memory has a key of a tree. */
  boolean has(int tree, int key) {
    return trees.get(tree).has(key);
  }

  /** All since the start. */
  long flushedBytes() {
    return flushedBytes;
  }

  long usedBytes() {
    return usedBytes;
  }

  /** All since the start. */
  double mergedBytes() {
    return mergedBytes;
  }

  List<TreeSample> endCycle() {
    double usedPart = looks == 0 ? 0 : usedSum / looks;
    usedSum = 0;
    looks = 0;
    return trees.stream().map(tree -> tree.endCycle(usedPart)).toList();
  }
}
