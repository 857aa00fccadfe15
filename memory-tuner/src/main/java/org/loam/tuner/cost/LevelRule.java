package org.loam.tuner.cost;

/**
 * How many levels the engine gives a tree. It is the engine's own rule, which the cost model asks
 * about memory that a tree does not have. A pure function.
 */
@FunctionalInterface
public interface LevelRule {
  /**
   * What a tree should have.
   *
   * @param count levels below L0
   * @param ratio size of a level divided by that of the level above it
   */
  record Sizes(int count, double ratio) {
    public Sizes {
      Require.atLeast("count of levels", count, 1);
      Require.within("ratio of levels", ratio, 1, 1e9);
    }
  }

  /**
   * The levels of a tree with some memory.
   *
   * @param levels those that it has now: whether a level goes depends on whether it is there
   * @param memoryBytes write memory that the tree fills before it is flushed, above 0
   */
  Sizes sizes(TreeSample.Levels levels, double memoryBytes);
}
