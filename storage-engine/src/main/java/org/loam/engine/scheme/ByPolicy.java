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
import org.loam.lsm.EvenFlushes;
import org.loam.lsm.FlushPolicy;
import org.loam.lsm.FlushPolicy.ActiveMemory;
import org.loam.lsm.FlushPolicy.TreeMemory;
import org.loam.lsm.FlushPolicy.WholeTree;
import org.loam.lsm.LsmTree;
import org.loam.lsm.memory.MemoryComponent;

/** Chooses among the active components of all trees by a flush policy. */
record ByPolicy(FlushPolicy policy) {
  /** A component of a tree. */
  record Part(LsmTree tree, MemoryComponent component) {}

  /** Components with so much memory together; at least one, if one may be frozen. */
  Victims choose(Memory memory, long bytes) {
    return choose(memory, bytes, ByPolicy::actives, false);
  }

  /** The active components of a tree that may be frozen. */
  static List<ActiveMemory<Part>> actives(LsmTree tree) {
    return tree.freezes().activesAlone().stream()
        .map(
            active ->
                new ActiveMemory<>(new Part(tree, active), active.usedBytes(), active.minLsn()))
        .toList();
  }

  /**
   * Like {@link #choose(Memory, long)}.
   *
   * @param candidates of a tree
   * @param isInOrder whether those of a tree leave in their order
   */
  Victims choose(
      Memory memory,
      long bytes,
      Function<LsmTree, List<ActiveMemory<Part>>> candidates,
      boolean isInOrder) {
    List<TreeMemory<Part>> trees = new ArrayList<>();
    for (LsmTree tree : memory.trees()) {
      trees.add(
          new TreeMemory<>(
              tree.activeBytes(), memory.recentBytes(tree), candidates.apply(tree), isInOrder));
    }
    return victims(rule(), policy.choose(trees, bytes));
  }

  private static Victims victims(Rule rule, List<Part> parts) {
    Map<LsmTree, Set<MemoryComponent>> chosen = new LinkedHashMap<>();
    for (Part one : parts) {
      chosen.computeIfAbsent(one.tree(), tree -> new HashSet<>()).add(one.component());
    }
    return new Victims(rule, chosen);
  }

  /** Components that are old and leave before the log is too long, as {@link EvenFlushes} says. */
  static Victims evenly(
      Memory memory, EvenFlushes flushes, long endLsn, long longBytes, long grownBytes) {
    List<ActiveMemory<Part>> actives =
        memory.trees().stream().flatMap(tree -> actives(tree).stream()).toList();
    return victims(Rule.OLDEST, flushes.choose(actives, endLsn, longBytes, grownBytes));
  }

  /** All active components of trees that a host flushes together; nothing if none may be frozen. */
  Victims chooseTogether(Memory memory, long bytes) {
    List<WholeTree<LsmTree>> trees = new ArrayList<>();
    for (LsmTree tree : memory.trees()) {
      trees.add(
          new WholeTree<>(
              tree,
              memory.flushUnit(tree),
              tree.activeBytes(),
              memory.recentBytes(tree),
              tree.minUnflushedLsn(List.of()),
              tree.hasFrozen()));
    }
    Map<LsmTree, Set<MemoryComponent>> chosen = new LinkedHashMap<>();
    for (LsmTree tree : policy.chooseTogether(trees, bytes)) {
      chosen.put(tree, Set.copyOf(tree.actives()));
    }
    return new Victims(rule(), chosen);
  }

  private Rule rule() {
    return Rule.valueOf(policy.name());
  }
}
