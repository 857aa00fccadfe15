package org.loam.engine;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;
import org.loam.lsm.LsmTree;

/** The open trees. Thread-safe; the list is a copy-on-write snapshot, by tree id. */
final class TreeCatalog {
  private final Monitor changes;
  private volatile List<LsmTree> list = List.of();

  /** Of the trees that are merged by options of their own. */
  private final Map<LsmTree, MergeOptions> mergeOptions = new ConcurrentHashMap<>();

  TreeCatalog(Waiter waiter) {
    this.changes = waiter.newMonitor("tree catalog");
  }

  /** Held while a tree is created or dropped, I/O included. */
  Monitor changes() {
    return changes;
  }

  /** The trees now, by id. */
  List<LsmTree> list() {
    return list;
  }

  @Nullable LsmTree byName(String name) {
    for (LsmTree tree : list) {
      if (tree.name().equals(name)) {
        return tree;
      }
    }
    return null;
  }

  @Nullable LsmTree byId(int treeId) {
    for (LsmTree tree : list) {
      if (tree.treeId() == treeId) {
        return tree;
      }
    }
    return null;
  }

  /** Under {@link #changes}. */
  void add(LsmTree tree) {
    Map<Integer, LsmTree> next = byId();
    next.put(tree.treeId(), tree);
    list = List.copyOf(next.values());
  }

  /** Under {@link #changes}. */
  void remove(LsmTree tree) {
    Map<Integer, LsmTree> next = byId();
    next.remove(tree.treeId());
    list = List.copyOf(next.values());
    mergeOptions.remove(tree);
  }

  /** Those of a tree that has options of its own; else null. */
  @Nullable MergeOptions mergeOptions(LsmTree tree) {
    return mergeOptions.get(tree);
  }

  /** Under {@link #changes}; null if the tree is to have none. */
  void setMergeOptions(LsmTree tree, @Nullable MergeOptions options) {
    if (options == null) {
      mergeOptions.remove(tree);
    } else {
      mergeOptions.put(tree, options);
    }
  }

  private Map<Integer, LsmTree> byId() {
    Map<Integer, LsmTree> map = new TreeMap<>();
    for (LsmTree tree : list) {
      map.put(tree.treeId(), tree);
    }
    return map;
  }

  void close() {
    Throwable first = null;
    for (LsmTree tree : list) {
      first = Closing.run(tree::close, first);
    }
    list = List.of();
    Closing.rethrow(first);
  }
}
