package org.loam.lsm;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.loam.scheduler.merge.Component;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.MergePolicy;
import org.loam.scheduler.merge.RunMode;
import org.loam.scheduler.merge.TreeShape;

/**
 * The policy of a compaction that a user asked for. As long as one of its components is above the
 * last level, it is everything into the last level, and no other merge. Otherwise it is the
 * components within that level, a part at a time; merges that do not meet the part go on.
 *
 * @param wanted ids of the components that it has yet to merge
 * @param usual the policy of the tree without it
 */
record FullMerge(Set<Long> wanted, MergePolicy usual) implements MergePolicy {
  /** Of a part: about what a merge of one component into the last level takes with it. */
  private static final int PART_COMPONENTS = 16;

  @Override
  public List<MergePlan> plan(TreeShape shape, RunMode mode) {
    List<Component> last = shape.level(Level.LAST);
    if (!isAllWithin(last)) {
      return everything(shape);
    }
    List<MergePlan> others = usual.plan(shape, mode);
    List<Component> part = firstPart(last);
    return part.isEmpty() ? others : beside(others, shape.treeId(), part);
  }

  private boolean isAllWithin(List<Component> components) {
    Set<Long> ids = new HashSet<>();
    components.forEach(component -> ids.add(component.id()));
    return ids.containsAll(wanted);
  }

  private static List<MergePlan> everything(TreeShape shape) {
    List<Component> inputs = new ArrayList<>();
    int from = Level.L0;
    for (List<Component> group : shape.l0()) {
      inputs.addAll(group);
    }
    for (Level level : shape.levels()) {
      if (inputs.isEmpty() && !level.components().isEmpty()) {
        from = level.id();
      }
      inputs.addAll(level.components());
    }
    if (inputs.isEmpty() || from == Level.LAST) {
      return List.of();
    }
    return List.of(MergePlan.of(shape.treeId(), inputs, from, Level.LAST, 1));
  }

  /** Neighbours, since the result may be a component over all keys from the first to the last. */
  private List<Component> firstPart(List<Component> last) {
    List<Component> part = new ArrayList<>();
    for (Component component : last) {
      if (wanted.contains(component.id())) {
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
   * however much is to be merged.
   */
  private static List<MergePlan> beside(
      List<MergePlan> others, int treeId, List<Component> inputs) {
    double score = others.stream().mapToDouble(MergePlan::score).reduce(1, Math::max);
    MergePlan part = MergePlan.of(treeId, inputs, Level.LAST, Level.LAST, score);
    List<MergePlan> plans = new ArrayList<>();
    plans.add(part);
    others.stream().filter(other -> !other.conflictsWith(part)).forEach(plans::add);
    return plans;
  }
}
