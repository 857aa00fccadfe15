package org.loam.scheduler.merge;

import java.util.ArrayList;
import java.util.List;

/**
 * A tree's disk components and running merges at one moment, as policies see them. Immutable; the
 * lists are shared, not copied, so a tree makes a shape from its view at no cost.
 *
 * <p>Age, from newest to oldest: L0 groups in order, then levels by growing id. Invariant: for any
 * key, a newer element never holds an older version; the components of a group, and of a level, are
 * disjoint. {@link #check} verifies what can be seen of it.
 *
 * @param treeId the tree
 * @param l0 groups, newest first; each holds disjoint components in key order (MemoryWalls §4.1.2)
 * @param allL0 of L0 with the newest groups, which the shape may leave out
 * @param levels by growing id, newest first; empty levels may be left out
 * @param running plans of this tree that were started and are not yet done or aborted
 * @param memoryComponentBytes write memory that this tree fills before it flushes; L1 follows it
 * @param lately what was done to it
 * @param conditions what merges have to heed
 */
public record TreeShape(
    int treeId,
    List<List<Component>> l0,
    AllL0 allL0,
    List<Level> levels,
    List<MergePlan> running,
    long memoryComponentBytes,
    Lately lately,
    Conditions conditions) {
  /**
   * How large L0 is.
   *
   * @param depth the largest number of components that hold one key, see {@link Depths}
   */
  public record AllL0(int depth, long bytes) {
    static AllL0 of(List<List<Component>> groups) {
      return new AllL0(Depths.greatest(groups), TreeShape.bytes(groups));
    }
  }

  /**
   * What was done to a tree lately.
   *
   * @param mergedDepth how deep L0 was where it was merged, see {@link MergedDepth}; L1 follows it
   * @param flushedPerScan see {@link FlushedPerScan}; it says how deep L0 may become
   */
  public record Lately(double mergedDepth, double flushedPerScan) {
    /** Nothing was merged, and no scan came. */
    public static final Lately NOTHING = new Lately(0, Double.POSITIVE_INFINITY);
  }

  /**
   * What merges have to heed.
   *
   * @param writersStopped whether writers wait until merges have made L0 smaller
   * @param maxInputRuns groups of L0 and levels that a merge can read, at least 2
   */
  public record Conditions(boolean writersStopped, int maxInputRuns) {
    /** Writers go on, and a merge reads any number of runs. */
    public static final Conditions NONE = new Conditions(false, Integer.MAX_VALUE);
  }

  /** A shape with all of L0, of which nothing was merged or scanned yet; merges read any of it. */
  public static TreeShape of(
      int treeId,
      List<List<Component>> l0,
      List<Level> levels,
      List<MergePlan> running,
      long memoryComponentBytes) {
    return new TreeShape(
        treeId,
        l0,
        AllL0.of(l0),
        levels,
        running,
        memoryComponentBytes,
        Lately.NOTHING,
        Conditions.NONE);
  }

  /** The same tree, to which something else was done lately. */
  public TreeShape withLately(Lately other) {
    return new TreeShape(
        treeId, l0, allL0, levels, running, memoryComponentBytes, other, conditions);
  }

  /** The same tree while its writers wait. */
  public TreeShape withWritersStopped() {
    Conditions stopped = new Conditions(true, conditions.maxInputRuns);
    return new TreeShape(treeId, l0, allL0, levels, running, memoryComponentBytes, lately, stopped);
  }

  /**
   * The same tree for merges that read so many runs. It is as deep and as large as with all of L0.
   * But of an L0 with more groups, as a recovery may leave it, it has only the oldest, which can be
   * merged without the others, and a level beside them.
   */
  public TreeShape readable(int runs) {
    int newer = Math.max(0, l0.size() - Math.max(1, runs - levels.size()));
    return new TreeShape(
        treeId,
        l0.subList(newer, l0.size()),
        allL0,
        levels,
        running,
        memoryComponentBytes,
        lately,
        new Conditions(conditions.writersStopped, runs));
  }

  /** The same tree with other merges under way. */
  public TreeShape withRunning(List<MergePlan> plans) {
    return new TreeShape(
        treeId, l0, allL0, levels, plans, memoryComponentBytes, lately, conditions);
  }

  /** Whether writers wait until merges have made L0 smaller. */
  public boolean writersStopped() {
    return conditions.writersStopped;
  }

  /** Groups of L0 and levels that a merge can read. */
  public int maxInputRuns() {
    return conditions.maxInputRuns;
  }

  /** The largest number of components of L0 that hold one key. */
  public int l0Depth() {
    return allL0.depth;
  }

  /** Bytes of L0. */
  public long l0Bytes() {
    return allL0.bytes;
  }

  /** The components of a level, none if it does not exist. */
  public List<Component> level(int id) {
    for (Level level : levels) {
      if (level.id() == id) {
        return level.components();
      }
    }
    return List.of();
  }

  /**
   * What people call a level: 0 for L0, 1 for the newest one below it, and so on; for a level that
   * is to be created, what it will be.
   */
  public int numberOf(int id) {
    int number = id == Level.L0 ? 0 : 1;
    for (Level level : levels) {
      number += level.id() < id && !level.components().isEmpty() ? 1 : 0;
    }
    return number;
  }

  /** Bytes of groups of L0. */
  public static long bytes(List<List<Component>> groups) {
    long sum = 0;
    for (List<Component> group : groups) {
      sum += Component.bytes(group);
    }
    return sum;
  }

  /**
   * Bytes of L0, divided by those of a full L1: so many times the write memory, or what L1 has if
   * that is more, as after write memory has become smaller.
   */
  public double l0Fill(int levelRatio) {
    long l1Bytes = 0;
    for (int i = 0; i < levels.size() && l1Bytes == 0; i++) {
      l1Bytes = Component.bytes(levels.get(i).components());
    }
    return l0Bytes() / Math.max((double) memoryComponentBytes * levelRatio, (double) l1Bytes);
  }

  /** Bytes of all components. */
  public long bytes() {
    long sum = l0Bytes();
    for (Level level : levels) {
      sum += Component.bytes(level.components());
    }
    return sum;
  }

  /** Components that a read of one key may have to look at: in L0, and one of each level. */
  public int depth() {
    int count = l0Depth();
    for (Level level : levels) {
      count += level.components().isEmpty() ? 0 : 1;
    }
    return count;
  }

  /**
   * The components below the target of a plan that overlap its hull: anti-matter for a key may be
   * dropped from the plan's result if none of them can hold the key. The answer stays true while
   * the plan runs, unless components are installed below it from outside (an index being built must
   * keep its anti-matter until it is ready).
   */
  public List<Component> olderThan(MergePlan plan) {
    List<Component> older = new ArrayList<>();
    for (Level level : levels) {
      if (level.id() > plan.targetLevel()) {
        older.addAll(Component.overlapping(level.components(), plan.hull()));
      }
    }
    return older;
  }

  /**
   * Verifies that groups and levels are sorted and disjoint, and levels in order.
   *
   * @throws AssertionError naming the two components in the wrong order
   */
  public void check() {
    for (List<Component> group : l0) {
      checkSorted("an L0 group", group);
    }
    int previous = Level.L0;
    for (Level level : levels) {
      if (level.id() <= previous || level.id() > Level.LAST) {
        throw new AssertionError(
            "tree " + treeId + ": level id " + level.id() + " after " + previous);
      }
      previous = level.id();
      checkSorted("level " + level.id(), level.components());
    }
  }

  private void checkSorted(String where, List<Component> components) {
    for (int i = 1; i < components.size(); i++) {
      if (!components.get(i - 1).range().isBefore(components.get(i).range())) {
        throw new AssertionError(
            "tree "
                + treeId
                + ": "
                + components.get(i - 1)
                + " must come before "
                + components.get(i)
                + " in "
                + where);
      }
    }
  }
}
