package org.loam.tuner.cost;

import java.util.function.ToDoubleFunction;

/**
 * Equations 1 and 3 to 6 of MemoryWalls: the cost of writing, and how the costs of writing and
 * reading change with the write memory x at the present split. Pure functions.
 *
 * <p>Equation 4 needs the shape of the cost of merges. That of the paper is a logarithm: each level
 * is T times the one above, and the number of levels is no whole number ({@link #logarithm}). The
 * engine has whole levels of even sizes ({@link MergeCosts#elasticity}).
 *
 * <p>Three things differ from the text. Equation 3 has the minus sign that the paper leaves out. A
 * tree whose memory is as large as its last level has nothing to gain, so its term is 0, where the
 * logarithm would change its sign. A cycle without merges has no last term in equation 6, where the
 * paper divides 0 by 0.
 */
public final class PaperEquations {
  /**
   * The derivatives by x, for one operation and one byte.
   *
   * @param write write′(x), equation 5; at most 0
   * @param savedReads (saved_q + saved_m) / sim, the first part of equation 6; at least 0
   * @param mergeReads write′(x) · read_m / merge, its second part; at most 0
   */
  public record Slope(double write, double savedReads, double mergeReads) {
    /** read′(x), equation 6. */
    public double read() {
      return savedReads + mergeReads;
    }

    /** cost′(x) = ω · write′(x) + γ · read′(x). */
    public double weighted(Weights weights) {
      return weights.writes() * write + weights.reads() * read();
    }
  }

  /**
   * What equation 1 needs of a tree.
   *
   * @param entryPages size of an entry in pages, e / P
   * @param sizeRatio T
   * @param lastLevelBytes |L_N|
   * @param share a
   */
  public record Tree(double entryPages, double sizeRatio, double lastLevelBytes, double share) {
    /** Equation 1: pages written for each entry, by its flush and by merges. */
    public double writeCost(double x) {
      return entryPages * (1 + (sizeRatio + 1) * levels(x));
    }

    /** Equation 3 for one entry written in each operation. */
    public double writeSlope(double x) {
      return levels(x) == 0 ? 0 : -entryPages * (sizeRatio + 1) / (x * Math.log(sizeRatio));
    }

    private double levels(double x) {
      return Math.max(0, Math.log(lastLevelBytes / (share * x)) / Math.log(sizeRatio));
    }
  }

  /** By what part a tree merges less for a part more memory, −x · merge′(x) / merge(x). */
  @FunctionalInterface
  public interface Elasticity {
    /**
     * That of a tree.
     *
     * @param memoryBytes what it has of the write memory, a · x
     */
    double of(TreeSample tree, double memoryBytes);
  }

  private PaperEquations() {}

  /** The paper's: merges cost as the logarithm of |L_N| / (a · x). */
  public static double logarithm(TreeSample tree, double memoryBytes) {
    double ratio = memoryBytes > 0 ? tree.levels().lastBytes() / memoryBytes : 0;
    return ratio > 1 ? 1 / Math.log(ratio) : 0;
  }

  /**
   * Equation 4, scaled by the part of flushes that memory caused: a term of equation 5.
   *
   * @param merge what merges of the tree write for an operation, merge_i(x)
   * @param elasticity of the tree; the paper's is 1 / ln(|L_N| / (a · x))
   * @param memoryFraction flush_mem / (flush_mem + flush_log)
   */
  public static double treeSlope(double merge, double x, double elasticity, double memoryFraction) {
    double part = elasticity * memoryFraction;
    return part > 0 && merge > 0 ? -merge / x * part : 0;
  }

  /**
   * All derivatives of a cycle.
   *
   * @param memoryFraction the scale factor of a tree, which a tree without flushes has from before
   */
  public static Slope slope(
      CycleSample sample,
      CostModel model,
      Elasticity elasticity,
      ToDoubleFunction<TreeSample> memoryFraction) {
    double operations = Math.max(1, sample.operations());
    double x = sample.memory().writeBytes();
    double merge = 0;
    double write = 0;
    for (TreeSample tree : sample.trees()) {
      double treeMerge = model.writeCost((double) tree.mergedBytes()) / operations;
      double treeElasticity = elasticity.of(tree, tree.share() * x);
      merge += treeMerge;
      write += treeSlope(treeMerge, x, treeElasticity, memoryFraction.applyAsDouble(tree));
    }
    CycleCost cost = CycleCost.of(sample, model);
    double mergeReads = merge > 0 ? write * cost.mergeReads() / merge : 0;
    return new Slope(write, savedReads(sample, model), mergeReads);
  }

  /**
   * What the ghost cache would have saved; a saved page costs what a missed one of its class did.
   */
  private static double savedReads(CycleSample sample, CostModel model) {
    MemorySample memory = sample.memory();
    double saved = 0;
    for (ReadClass readClass : ReadClass.values()) {
      ReadSample read = sample.reads(readClass);
      if (read.savedPages() > 0) {
        double cost = model.readCost(readClass, read, memory.pageBytes());
        saved += cost * read.savedPages() / read.missedPages();
      }
    }
    return saved / Math.max(1, sample.operations()) / memory.ghostBytes();
  }
}
