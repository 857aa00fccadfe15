package org.loam.scheduler.merge;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * How large the levels of a tree will be when the merges that run now have ended, and whether they
 * have room for one more. A merge counts as if no key were in two of its inputs, so a level may
 * become smaller than that. Immutable.
 */
final class LevelSizes {
  /**
   * A merge waits if it would make a level larger than so many times its target. Targets may fall
   * while merges run, and levels should stay within one and a half times their targets even so.
   */
  static final double MOST_FULLNESS = 1.38;

  private final TreeShape shape;
  private final LevelTargets targets;

  /** Of the levels that have a target. */
  private final Map<Integer, Long> bytes = new HashMap<>();

  LevelSizes(TreeShape shape, LevelTargets targets) {
    this.shape = shape;
    this.targets = targets;
    for (Level level : shape.levels()) {
      if (targets.has(level.id())) {
        bytes.put(level.id(), bytes(level));
      }
    }
  }

  TreeShape shape() {
    return shape;
  }

  LevelTargets targets() {
    return targets;
  }

  /** The size of a level that has a target as a share of it. */
  double fullness(int level) {
    return bytes.getOrDefault(level, 0L) / Math.max(1, targets.bytes(level));
  }

  /**
   * Whether the level that takes the result of a merge has room for it, also if merges out of that
   * level end later. A level that is not above its target takes any merge, and one above has merges
   * of its own that make room. Where write memory has become smaller, these may have much to do;
   * while writers are stopped, no merge waits for them.
   */
  boolean hasRoom(MergePlan plan) {
    int target = plan.targetLevel();
    if (!targets.has(target) || fullness(target) <= 1) {
      return true;
    }
    if (shape.writersStopped() && fullness(target) > MOST_FULLNESS) {
      return true;
    }
    List<Component> there = shape.level(target);
    long met = Component.bytes(Component.overlapping(there, plan.hull()));
    long most = Component.bytes(there) + arriving(target, ids(there)) + plan.inputBytes() - met;
    return most <= MOST_FULLNESS * targets.bytes(target);
  }

  private long bytes(Level level) {
    Set<Long> here = ids(level.components());
    long bytes = Component.bytes(level.components()) + arriving(level.id(), here);
    for (MergePlan running : shape.running()) {
      if (running.targetLevel() != level.id()) {
        bytes -= bytes(running, input -> here.contains(input.id()));
      }
    }
    return bytes;
  }

  /** What running merges bring to a level. */
  private long arriving(int level, Set<Long> here) {
    return shape.running().stream()
        .filter(running -> running.targetLevel() == level)
        .mapToLong(running -> bytes(running, input -> !here.contains(input.id())))
        .sum();
  }

  private static long bytes(MergePlan plan, Predicate<Component> which) {
    return plan.inputs().stream().filter(which).mapToLong(Component::bytes).sum();
  }

  private static Set<Long> ids(List<Component> components) {
    return components.stream().map(Component::id).collect(Collectors.toSet());
  }
}
