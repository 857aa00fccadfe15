package org.loam.lsm;

import java.util.ArrayList;
import java.util.List;
import org.loam.scheduler.merge.Component;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.MergePolicy;
import org.loam.scheduler.merge.RunMode;
import org.loam.scheduler.merge.TreeShape;

/** The policy of a compaction that a user asked for: everything into the last level. */
final class FullMerge implements MergePolicy {
  static final FullMerge POLICY = new FullMerge();

  private FullMerge() {}

  @Override
  public List<MergePlan> plan(TreeShape shape, RunMode mode) {
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
}
