package org.loam.tuner.cost;

import java.util.HashMap;
import java.util.Map;

/**
 * What trees merge for each byte that they flush: the shape of it from their levels ({@link
 * MergeShape}), and its size as it was measured over a few cycles. A tree that was not seen
 * flushing has the mean of the others, or the size of the shape. Immutable.
 *
 * <p>How many levels a tree would have is what the engine would give it now: a level that is there
 * goes only when memory has grown clearly beyond where it came.
 */
public final class MergeCosts {
  /** What an older cycle counts beside the next one. */
  private static final double KEPT = 0.7;

  /** Another memory of a tree may come out smaller by this part, so that it has a level more. */
  private static final double SMALLER = 0.1;

  /**
   * Where levels take in or give up more than this part of what was merged, the rest of it is a
   * small difference of large numbers.
   */
  private static final double MOST_UNSTEADY = 0.5;

  /** Derivatives are taken between memories that are smaller and larger by this part. */
  private static final double NEAR = 1e-3;

  private final LevelRule rule;
  private final Map<Integer, Sums> trees;

  /**
   * Sums over cycles, older ones aged.
   *
   * @param arrived bytes that were merged out of L0
   * @param added bytes by which the last level grew
   * @param merged bytes that were merged, or would have been if no level had grown or shrunk
   * @param expected bytes that should have been, by the shape alone
   */
  private record Sums(double arrived, double added, double merged, double expected) {
    static final Sums NONE = new Sums(0, 0, 0, 0);

    Sums plus(Sums other) {
      return new Sums(
          arrived + other.arrived,
          added + other.added,
          merged + other.merged,
          expected + other.expected);
    }

    /** A load of many keys at once says nothing of the flushes after it. */
    Sums bounded() {
      double most = Math.max(-arrived, Math.min(arrived, added));
      return new Sums(arrived, most, merged, expected);
    }

    Sums aged() {
      return new Sums(arrived * KEPT, added * KEPT, merged * KEPT, expected * KEPT);
    }

    /** What was merged, by what should have been; as much if that was not seen. */
    double factor() {
      return expected == 0 ? 1 : merged / expected;
    }

    /** What a last level grows by was no version of a key that it had. */
    double newPart() {
      return arrived == 0 ? 0 : Math.max(0, Math.min(1, added / arrived));
    }
  }

  private MergeCosts(LevelRule rule, Map<Integer, Sums> trees) {
    this.rule = rule;
    this.trees = trees;
  }

  /** Nothing was measured yet. */
  public static MergeCosts unknown(LevelRule rule) {
    return new MergeCosts(rule, Map.of());
  }

  /** With what the trees did in the next cycle; trees that it does not have are forgotten. */
  public MergeCosts plus(CycleSample sample) {
    Map<Integer, Sums> next = new HashMap<>();
    for (TreeSample tree : sample.trees()) {
      double memory = tree.share() * sample.memory().writeBytes();
      next.put(tree.treeId(), own(tree).aged().plus(latest(tree, memory)).bounded());
    }
    return new MergeCosts(rule, next);
  }

  /**
   * What a tree did in a cycle. What is in L0 at its end was not merged yet. More memory makes the
   * levels above the last one larger, and less smaller: what they took in was not merged on, and
   * what they gave up had been before. None of it says something of the time after it, and where it
   * is most of what was merged, as in the first cycle with a much smaller memory, the merges of the
   * cycle say nothing.
   */
  private Sums latest(TreeSample tree, double memoryBytes) {
    TreeSample.Growth grown = tree.levels().grown();
    double arrived = Math.max(0.0, (double) (tree.flushed().bytes() - grown.l0Bytes()));
    Sums growth = new Sums(arrived, (double) grown.lastBytes(), 0, 0);
    MergeShape shape = shape(tree, memoryBytes, own(tree).aged().plus(growth).newPart());
    double merged = (double) tree.mergedBytes();
    double unsteady = (double) grown.upperBytes() * shape.perUpperByte();
    if (Math.abs(unsteady) > MOST_UNSTEADY * merged) {
      return growth;
    }
    return growth.plus(new Sums(0, 0, merged + unsteady, arrived * shape.perFlushedByte()));
  }

  private MergeShape shape(TreeSample tree, double memoryBytes, double newPart) {
    return MergeShape.of(rule, tree.levels(), memoryBytes, newPart);
  }

  private MergeShape shape(TreeSample tree, double memoryBytes) {
    return shape(tree, memoryBytes, own(tree).newPart());
  }

  private Sums own(TreeSample tree) {
    return trees.getOrDefault(tree.treeId(), Sums.NONE);
  }

  /** What was merged of a tree, by what should have been. */
  private double factor(TreeSample tree) {
    Sums own = own(tree);
    return own.expected > 0
        ? own.factor()
        : trees.values().stream().reduce(Sums.NONE, Sums::plus).factor();
  }

  /**
   * Bytes merged for a byte flushed, with another memory. A step to it does not end as exactly as
   * it was meant to: if memory that is smaller than it, by as much as the step is long but a tenth
   * at most, has a level more, that counts. So no step ends just before a level comes, and one that
   * is to make a level go is long enough.
   *
   * @param presentBytes memory of the tree now
   */
  double perFlushedByte(TreeSample tree, double memoryBytes, double presentBytes) {
    MergeShape meant = shape(tree, memoryBytes);
    double step = Math.abs(memoryBytes - presentBytes) / Math.max(1, memoryBytes);
    MergeShape less = shape(tree, memoryBytes * (1 - Math.min(SMALLER, step)));
    boolean isNear = less.sizes().count() > meant.sizes().count();
    return factor(tree) * (isNear ? less : meant).perFlushedByte();
  }

  /**
   * By what part a tree merges less for a part more memory, −x · merge′(x) / merge(x), as long as
   * it has as many levels as it has now.
   */
  public double elasticity(TreeSample tree, double memoryBytes) {
    MergeShape now = shape(tree, memoryBytes);
    MergeShape less = shape(tree, memoryBytes * (1 - NEAR));
    MergeShape more = shape(tree, memoryBytes * (1 + NEAR));
    less = less.sizes().count() == now.sizes().count() ? less : now;
    more = more.sizes().count() == now.sizes().count() ? more : now;
    double fall = Math.log(less.perFlushedByte() / more.perFlushedByte());
    double growth = Math.log(more.memoryBytes() / less.memoryBytes());
    return fall > 0 && growth > 0 ? fall / growth : 0;
  }
}
