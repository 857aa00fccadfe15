package org.loam.engine.scheme;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.loam.engine.report.FlushChoice.Rule;
import org.loam.engine.scheme.MemoryScheme.Memory;
import org.loam.engine.scheme.MemoryScheme.Victims;
import org.loam.lsm.LsmTree;
import org.loam.lsm.memory.MemoryComponent;

/** What the trees of each dataset have in memory. Under the commit latch. */
final class DatasetMemory {
  private Map<String, List<LsmTree>> treesOf = Map.of();

  /** The list that they were found in, which is another one when there are other trees. */
  private List<LsmTree> grouped = List.of();

  /** The trees of all datasets, by name. */
  private Map<String, List<LsmTree>> all(Memory memory) {
    List<LsmTree> trees = memory.trees();
    if (trees != grouped) {
      Map<String, List<LsmTree>> found = new LinkedHashMap<>();
      for (LsmTree tree : trees) {
        found.computeIfAbsent(tree.dataset(), dataset -> new ArrayList<>()).add(tree);
      }
      treesOf = found;
      grouped = trees;
    }
    return treesOf;
  }

  Collection<String> datasets(Memory memory) {
    return all(memory).keySet();
  }

  /** Nothing if the dataset was dropped. */
  List<LsmTree> trees(Memory memory, String dataset) {
    return all(memory).getOrDefault(dataset, List.of());
  }

  long activeBytes(Memory memory, String dataset) {
    long sum = 0;
    for (LsmTree tree : trees(memory, dataset)) {
      sum += tree.activeBytes();
    }
    return sum;
  }

  boolean hasFrozen(Memory memory, String dataset) {
    for (LsmTree tree : trees(memory, dataset)) {
      if (tree.hasFrozen()) {
        return true;
      }
    }
    return false;
  }

  /** Whether no write is in its active components. */
  boolean isEmpty(Memory memory, String dataset) {
    for (LsmTree tree : trees(memory, dataset)) {
      for (MemoryComponent active : tree.actives()) {
        if (active.minLsn() < Long.MAX_VALUE) {
          return false;
        }
      }
    }
    return true;
  }

  /** All that datasets have in active components. */
  Victims all(Memory memory, Rule rule, Collection<String> datasets) {
    Map<LsmTree, Set<MemoryComponent>> chosen = new LinkedHashMap<>();
    for (String dataset : datasets) {
      for (LsmTree tree : trees(memory, dataset)) {
        chosen.put(tree, Set.copyOf(tree.actives()));
      }
    }
    return new Victims(rule, chosen);
  }
}
