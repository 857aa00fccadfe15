package org.loam.tuner.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
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

  /** Writes a key of some tree; tree id in the high half of the answer, key in the low one. */
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
    return (long) tree << 32 | key;
  }

  private void look() {
    for (int i = 0; i < recentWrites.length; i++) {
      recentWrites[i] *= 1 - LOOK_EVERY / WINDOW;
      trees.get(i).look(usedBytes);
    }
    usedSum += Math.min(1, (double) usedBytes / limitBytes);
    looks++;
    while (lsn - oldest().oldestLsn() > logBytes) {
      freed(oldest().flushForLog());
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
      freed(trees.get(chosen).flushForMemory());
    }
  }

  private void freed(long bytes) {
    usedBytes -= bytes;
    flushedBytes += bytes;
  }

  /** All since the start. */
  long flushedBytes() {
    return flushedBytes;
  }

  long usedBytes() {
    return usedBytes;
  }

  long mergedBytes() {
    return Math.round(trees.stream().mapToDouble(LsmTreeModel::mergedBytes).sum());
  }

  List<TreeSample> endCycle() {
    double usedPart = looks == 0 ? 0 : usedSum / looks;
    usedSum = 0;
    looks = 0;
    return trees.stream().map(tree -> tree.endCycle(usedPart)).toList();
  }
}
