package org.loam.scheduler.merge;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds a plan against the shape it is to be started on; the rules are those of {@link MergePlan}.
 */
public final class PlanCheck {
  private final TreeShape shape;
  private final MergePlan plan;
  private final Set<Long> inputs = new HashSet<>();

  /** Range of the inputs found so far; null before the first. */
  private @Nullable KeyRange hull;

  private int found;

  private PlanCheck(TreeShape shape, MergePlan plan) {
    this.shape = shape;
    this.plan = plan;
    for (Component input : plan.inputs()) {
      inputs.add(input.id());
    }
  }

  /**
   * Why a plan must not be started on a shape; null if it may. A tree asks this under the lock that
   * guards its shape, since the shape may have changed after the policy saw it.
   */
  public static @Nullable String objection(TreeShape shape, MergePlan plan) {
    if (plan.treeId() != shape.treeId()) {
      return "it is for tree " + plan.treeId() + ", not " + shape.treeId();
    }
    boolean goesDown = plan.fromLevel() < plan.targetLevel() && plan.targetLevel() <= Level.LAST;
    boolean stays = plan.isWithinLast() && plan.targetLevel() == Level.LAST;
    if (plan.fromLevel() < Level.L0 || !(goesDown || stays)) {
      return "it goes from level " + plan.fromLevel() + " to " + plan.targetLevel();
    }
    for (MergePlan other : shape.running()) {
      if (plan.conflictsWith(other)) {
        return "it conflicts with running " + other;
      }
    }
    PlanCheck check = new PlanCheck(shape, plan);
    String objection = check.checkL0();
    return objection != null ? objection : check.checkLevels();
  }

  /** An input out of L0 takes along the older components of L0 that overlap it. */
  private @Nullable String checkL0() {
    List<List<Component>> groups =
        plan.fromLevel() == Level.L0 ? shape.l0() : List.<List<Component>>of();
    for (int g = 0; g < groups.size(); g++) {
      for (Component c : Component.overlapping(groups.get(g), plan.hull())) {
        if (!inputs.contains(c.id())) {
          continue;
        }
        find(c);
        for (List<Component> older : groups.subList(g + 1, groups.size())) {
          for (Component o : Component.overlapping(older, c.range())) {
            if (!inputs.contains(o.id())) {
              return "component " + o.id() + " of L0 is older than " + c.id() + " and left out";
            }
          }
        }
      }
    }
    return null;
  }

  /**
   * What newer inputs meet on their way down comes along; what only older ones meet may stay.
   * Within the last level, what lies between two inputs comes along: the result may be one
   * component.
   */
  private @Nullable String checkLevels() {
    for (Level level : shape.levels()) {
      if (level.id() < plan.fromLevel() || level.id() > plan.targetLevel()) {
        continue;
      }
      KeyRange newer = plan.isWithinLast() ? plan.hull() : hull;
      for (Component c : Component.overlapping(level.components(), plan.hull())) {
        if (inputs.contains(c.id())) {
          find(c);
        } else if (newer != null && newer.overlaps(c.range())) {
          return "component " + c.id() + " of level " + level.id() + " is in its way";
        }
      }
    }
    return found == inputs.size() && found == plan.inputs().size()
        ? null
        : found + " of its " + plan.inputs().size() + " inputs are where it expects them";
  }

  private void find(Component input) {
    found++;
    hull = hull == null ? input.range() : hull.hull(input.range());
  }
}
