package org.loam.engine.scheme;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.loam.engine.report.FlushChoice.Rule;
import org.loam.engine.scheme.MemoryScheme.Memory;
import org.loam.engine.scheme.MemoryScheme.Victims;
import org.loam.lsm.FlushPolicy;
import org.loam.lsm.FlushPolicy.ActiveMemory;
import org.loam.lsm.FlushPolicy.Candidate;
import org.loam.lsm.FlushPolicy.TreeMemory;
import org.loam.lsm.LsmTree;
import org.loam.lsm.memory.MemoryComponent;

/** Chooses among the active components of all trees by a flush policy. */
record ByPolicy(FlushPolicy policy) {
  /** Components with so much memory together; at least one, if one may be frozen. */
  Victims choose(Memory memory, long bytes) {
    return choose(memory, bytes, ByPolicy::actives);
  }

  /** The active components of a tree that may be frozen. */
  static List<ActiveMemory> actives(LsmTree tree) {
    return tree.freezes().activesAlone().stream()
        .map(active -> new ActiveMemory(active, active.usedBytes(), active.minLsn()))
        .toList();
  }

  /**
   * Like {@link #choose(Memory, long)}.
   *
   * @param candidates of a tree
   */
  Victims choose(Memory memory, long bytes, Function<LsmTree, List<ActiveMemory>> candidates) {
    List<TreeMemory> trees = new ArrayList<>();
    for (LsmTree tree : memory.trees()) {
      trees.add(
          new TreeMemory(
              tree, tree.activeBytes(), memory.recentBytes(tree), candidates.apply(tree)));
    }
    Map<LsmTree, Set<MemoryComponent>> chosen = new LinkedHashMap<>();
    for (Candidate one : policy.choose(trees, bytes)) {
      chosen.computeIfAbsent(one.tree(), tree -> new HashSet<>()).add(one.active().component());
    }
    return new Victims(Rule.valueOf(policy.name()), chosen);
  }
}
