package org.loam.tuner.cost;

import java.util.HashMap;
import java.util.Map;

/**
 * What trees merge for each byte that they flush: the shape of it from the number of levels, and
 * its size as it was measured over a few cycles. A tree that was not seen flushing has the mean of
 * the others. Immutable.
 *
 * <p>Let r be |L_N| / (a · x) and T the size ratio of levels. As long as r is at most T, a flush of
 * a key range is merged into the last level, and since a range has twice its mean when it is
 * flushed, that takes 1 + r / 2 bytes for a byte. Each factor of T above adds a level of T + 1
 * (equation 1).
 */
public final class MergeCosts {
  /** What an older cycle counts beside the next one. */
  private static final double KEPT = 0.7;

  private final double sizeRatio;
  private final Map<Integer, Sums> sums;

  /**
   * Sums over cycles, older ones aged.
   *
   * @param merged bytes that were merged
   * @param expected bytes that should have been, by the shape alone
   */
  private record Sums(double merged, double expected) {
    static final Sums NONE = new Sums(0, 0);

    Sums plus(Sums other) {
      return new Sums(merged + other.merged, expected + other.expected);
    }

    Sums aged() {
      return new Sums(merged * KEPT, expected * KEPT);
    }

    double factor() {
      return expected == 0 ? 0 : merged / expected;
    }
  }

  private MergeCosts(double sizeRatio, Map<Integer, Sums> sums) {
    this.sizeRatio = sizeRatio;
    this.sums = sums;
  }

  /**
   * Nothing was measured yet.
   *
   * @param sizeRatio size of a level divided by that of the level above it, T
   */
  public static MergeCosts unknown(double sizeRatio) {
    Require.within("sizeRatio", sizeRatio, 1.1, 1000);
    return new MergeCosts(sizeRatio, Map.of());
  }

  /** With what the trees did in the next cycle; trees that it does not have are forgotten. */
  public MergeCosts plus(CycleSample sample) {
    Map<Integer, Sums> next = new HashMap<>();
    for (TreeSample tree : sample.trees()) {
      double memory = tree.share() * sample.memory().writeBytes();
      Sums latest =
          new Sums(
              tree.mergedBytes(),
              tree.flushed().bytes() * shape((double) tree.lastLevelBytes(), memory));
      next.put(tree.treeId(), own(tree).aged().plus(latest));
    }
    return new MergeCosts(sizeRatio, next);
  }

  private Sums own(TreeSample tree) {
    return sums.getOrDefault(tree.treeId(), Sums.NONE);
  }

  /** Bytes merged for a byte flushed, with so much memory. */
  double perFlushedByte(TreeSample tree, double memoryBytes) {
    Sums own = own(tree);
    Sums measured = own.expected > 0 ? own : sums.values().stream().reduce(Sums.NONE, Sums::plus);
    return measured.factor() * shape((double) tree.lastLevelBytes(), memoryBytes);
  }

  /** By the number of levels alone. */
  double shape(double lastLevelBytes, double memoryBytes) {
    double ratio = lastLevelBytes / Math.max(1, memoryBytes);
    return ratio <= sizeRatio
        ? 1 + ratio / 2
        : 1 + sizeRatio / 2 + (sizeRatio + 1) * Math.log(ratio / sizeRatio) / Math.log(sizeRatio);
  }
}
