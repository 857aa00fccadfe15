package org.loam.lsm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.loam.scheduler.merge.Closure;
import org.loam.scheduler.merge.Component;
import org.loam.scheduler.merge.KeyRange;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.MergePolicy;
import org.loam.scheduler.merge.RunMode;
import org.loam.scheduler.merge.TreeShape;

/**
 * The policy of a compaction that a user asked for. It merges a part of the tree at a time; merges
 * that do not meet the part go on.
 *
 * <p>As long as L0 has one of its components, a part begins in L0, then in the newest level that
 * has one, and so on to the last level, in each of them in the order of keys. A part goes as far
 * down as it can with few bytes, but one level at least. So a small tree is merged at once. In a
 * large one no merge is much longer than others are, and a byte is written about as often as on its
 * usual way down. For a table of L0 may have a sixteenth of all keys: a merge of it into the last
 * level would be of a sixteenth of the tree, and L0 would get deeper there meanwhile.
 *
 * <p>What is to be rewritten within the last level comes after all that.
 *
 * @param wanted the components that it has yet to merge, by id, and which of their keys
 * @param usual the policy of the tree without it
 */
record FullMerge(Map<Long, KeyRange> wanted, MergePolicy usual) implements MergePolicy {
  /** Within the last level: about what a merge of one component into it takes with it. */
  private static final int PART_COMPONENTS = 16;

  /**
   * Write memories that a part may have if a smaller one is possible: about L0 and L1 together, as
   * a merge out of L0 takes them in a tree without guards.
   */
  private static final int PART_MEMORIES = 16;

  /** Of a part above the last level: with as many of the smallest tables a merge takes long. */
  private static final int MOST_COMPONENTS = 256;

  @Override
  public List<MergePlan> plan(TreeShape shape, RunMode mode) {
    List<MergePlan> others = usual.plan(shape, mode);
    MergePlan part = part(shape);
    return part == null ? others : beside(others, part, shape.writersStopped());
  }

  @Override
  public boolean mayBecomeDue(TreeShape shape) {
    return usual.mayBecomeDue(shape);
  }

  private @Nullable MergePlan part(TreeShape shape) {
    List<Component> seeds = seeds(shape.l0());
    if (!seeds.isEmpty()) {
      return down(shape, seeds, Level.L0);
    }
    for (Level level : shape.levels()) {
      seeds = level.id() == Level.LAST ? List.of() : seeds(List.of(level.components()));
      if (!seeds.isEmpty()) {
        return down(shape, seeds, level.id());
      }
    }
    List<Component> within = firstWithin(shape.level(Level.LAST));
    return within.isEmpty()
        ? null
        : MergePlan.of(shape.treeId(), within, Level.LAST, Level.LAST, 1);
  }

  /**
   * What is to go down, by the first key that is to. Of several with the same one the newest is
   * first: it takes the others along.
   */
  private List<Component> seeds(List<List<Component>> groups) {
    return groups.stream()
        .flatMap(List::stream)
        .filter(component -> wanted.containsKey(component.id()))
        .sorted(Comparator.comparing(this::firstKey, Arrays::compareUnsigned))
        .toList();
  }

  private byte[] firstKey(Component component) {
    return wanted.getOrDefault(component.id(), component.range()).min();
  }

  /** As far down as few bytes go; if not even to the next level, there all the same. */
  private MergePlan down(TreeShape shape, List<Component> seeds, int from) {
    List<Integer> targets = targets(shape, from);
    KeyRange first = seeds.get(0).range();
    for (int i = targets.size() - 1; i >= 0; i--) {
      int target = targets.get(i);
      Closure part = Closure.ofRange(shape, first, from, target, 1);
      if (fits(shape, part, target)) {
        Closure wide = widened(shape, part, from, target);
        return (target == Level.LAST ? joined(shape, wide, seeds, from) : wide).plan();
      }
    }
    return Closure.ofRange(shape, first, from, targets.get(0), 1).plan();
  }

  /**
   * The levels that may take a part, newest first. The level above the last one is among them even
   * if it is empty: a part that is large from there to the last level keeps no merge of L0 waiting.
   */
  private static List<Integer> targets(TreeShape shape, int from) {
    List<Integer> targets = new ArrayList<>();
    for (Level level : shape.levels()) {
      if (level.id() > from && level.id() < Level.LAST - 1 && !level.components().isEmpty()) {
        targets.add(level.id());
      }
    }
    if (from < Level.LAST - 1) {
      targets.add(Level.LAST - 1);
    }
    targets.add(Level.LAST);
    return targets;
  }

  /** Takes what else lies above the same keys, or it would need a merge with these once more. */
  private static Closure widened(TreeShape shape, Closure part, int from, int target) {
    Closure widest = part;
    Closure wider = Closure.ofRange(shape, part.hull(), from, target, 1);
    while (wider.inputs().size() > widest.inputs().size() && fits(shape, wider, target)) {
      widest = wider;
      wider = Closure.ofRange(shape, wider.hull(), from, target, 1);
    }
    return widest;
  }

  /**
   * Takes the next ones along as well, unless there are others between them: small tables become
   * larger ones in the last level, where nothing else would merge them.
   */
  private static Closure joined(TreeShape shape, Closure part, List<Component> seeds, int from) {
    Closure joined = part;
    for (Component seed : seeds) {
      if (joined.hull().isBefore(seed.range())) {
        Closure next = Closure.ofRange(shape, seed.range(), from, Level.LAST, 1);
        KeyRange hull = joined.hull().hull(next.hull());
        Closure both = Closure.ofRange(shape, hull, from, Level.LAST, 1);
        Set<Component> known = new HashSet<>(joined.inputs());
        known.addAll(next.inputs());
        if (!known.containsAll(both.inputs()) || !fits(shape, both, Level.LAST)) {
          return joined;
        }
        joined = both;
      }
    }
    return joined;
  }

  private static boolean fits(TreeShape shape, Closure part, int target) {
    return part.target() == target
        && part.inputs().size() <= MOST_COMPONENTS
        && part.inputBytes() <= PART_MEMORIES * shape.memoryComponentBytes();
  }

  /** Neighbours, since the result may be a component over all keys from the first to the last. */
  private List<Component> firstWithin(List<Component> last) {
    List<Component> part = new ArrayList<>();
    for (Component component : last) {
      if (wanted.containsKey(component.id())) {
        part.add(component);
      } else if (!part.isEmpty()) {
        return part;
      }
      if (part.size() == PART_COMPONENTS) {
        return part;
      }
    }
    return part;
  }

  /**
   * The part is first, and no merge begins that meets it: so it waits only for those that run now,
   * however much is to be merged. While writers are stopped, merges that let them go on are first.
   */
  private static List<MergePlan> beside(
      List<MergePlan> others, MergePlan part, boolean writersStopped) {
    List<MergePlan> urgent =
        writersStopped && !part.relievesL0()
            ? others.stream().filter(MergePlan::relievesL0).toList()
            : List.of();
    // The planner puts plans in the order of their scores, and those of equal score stay as here.
    double score =
        urgent.isEmpty()
            ? others.stream().mapToDouble(MergePlan::score).reduce(1, Math::max)
            : urgent.stream().mapToDouble(MergePlan::score).min().getAsDouble();
    List<MergePlan> plans = new ArrayList<>(urgent);
    plans.add(part.withScore(score));
    for (MergePlan other : others) {
      if (!urgent.contains(other) && !other.conflictsWith(part)) {
        plans.add(other);
      }
    }
    return plans;
  }
}
