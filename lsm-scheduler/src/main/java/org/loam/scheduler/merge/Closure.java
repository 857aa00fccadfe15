package org.loam.scheduler.merge;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Completes chosen components to a plan that keeps the order of versions; see {@link MergePlan}.
 * Not thread-safe.
 */
public final class Closure {
  private final TreeShape shape;
  private final List<Component> inputs = new ArrayList<>();
  private KeyRange hull;
  private double overlapRatio;
  private int runCount;

  private final int from;
  private int target;
  private final double score;

  private Closure(TreeShape shape, KeyRange seed, int from, int target, double score) {
    this.shape = shape;
    this.hull = seed;
    this.from = from;
    this.target = target;
    this.score = score;
  }

  /**
   * A merge out of L0: what overlaps a seed in the given groups (MemoryWalls §4.1.2), what overlaps
   * these in older groups, transitively, and what is in their way down to the target.
   *
   * <p>One pass from new to old is enough: everything taken so far meets the seed or a newer one
   * that does, so the hull has no gaps, and whatever of the next group meets the hull either meets
   * the seed or is older than something taken that it meets.
   *
   * @param groups newest first, the oldest group of L0 among them
   * @param seed keys that some component of the groups holds
   */
  static Closure ofL0(
      TreeShape shape, List<List<Component>> groups, KeyRange seed, int target, double score) {
    Closure closure = new Closure(shape, seed, Level.L0, target, score);
    for (List<Component> group : groups) {
      closure.take(group);
    }
    closure.takeBelow();
    return closure;
  }

  /** A merge of one component out of a level below L0, with what is in its way. */
  static Closure ofLevel(TreeShape shape, Component seed, int from, int target, double score) {
    Closure closure = new Closure(shape, seed.range(), from, target, score);
    closure.inputs.add(seed);
    closure.runCount = 1;
    closure.takeBelow();
    return closure;
  }

  /**
   * A merge of what a range meets in L0, or in a level below, with what is in its way.
   *
   * @param seed keys that some component there holds
   * @param from id of a level
   * @param target id of an older one
   */
  public static Closure ofRange(
      TreeShape shape, KeyRange seed, int from, int target, double score) {
    if (from == Level.L0) {
      return ofL0(shape, shape.l0(), seed, target, score);
    }
    Closure closure = new Closure(shape, seed, from, target, score);
    closure.take(shape.level(from));
    closure.takeBelow();
    return closure;
  }

  /** The components, newest first; a view. */
  public List<Component> inputs() {
    return Collections.unmodifiableList(inputs);
  }

  /**
   * Id of the level that takes the result: the one that was asked for, or a newer one if a merge
   * cannot read all runs down to that.
   */
  public int target() {
    return target;
  }

  /** The smallest range that holds the seed and all inputs. */
  public KeyRange hull() {
    return hull;
  }

  /** The plan to merge the inputs, of which there must be one. */
  public MergePlan plan() {
    return MergePlan.of(shape.treeId(), inputs, from, target, score);
  }

  /** Whether nothing has to be read or written. */
  boolean isMove() {
    return inputs.size() == 1;
  }

  /** Bytes of all inputs. */
  public long inputBytes() {
    return Component.bytes(inputs);
  }

  /** Bytes in the way, relative to the bytes that leave the source. */
  double overlapRatio() {
    return overlapRatio;
  }

  /**
   * Takes what is in the way down. The way ends above a level that would be one run too many: the
   * inputs are closed for each level on the way.
   */
  private void takeBelow() {
    int sourceCount = inputs.size();
    int reached = from;
    for (Level level : shape.levels()) {
      if (level.id() > from && level.id() <= target) {
        if (runCount == shape.maxInputRuns() && meets(level)) {
          target = reached;
          break;
        }
        take(level.components());
        reached = level.id();
      }
    }
    long sourceBytes = Component.bytes(inputs.subList(0, sourceCount));
    long overlapBytes = Component.bytes(inputs.subList(sourceCount, inputs.size()));
    overlapRatio = overlapBytes / (double) Math.max(1, sourceBytes);
  }

  private boolean meets(Level level) {
    return !Component.overlapping(level.components(), hull).isEmpty();
  }

  private void take(List<Component> sorted) {
    int countBefore = inputs.size();
    for (Component component : Component.overlapping(sorted, hull)) {
      inputs.add(component);
      hull = hull.hull(component.range());
    }
    runCount += inputs.size() > countBefore ? 1 : 0;
  }
}
