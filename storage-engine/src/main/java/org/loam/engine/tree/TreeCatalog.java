package org.loam.engine.tree;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;
import org.loam.engine.operation.Closing;
import org.loam.lsm.LsmTree;

/**
 * The open trees. Thread-safe; the list is a copy-on-write snapshot, by tree id.
 *
 * <p>Changes are made by actions that {@link Schema#underChanges} runs under the monitor, into
 * which the compiler does not follow it; so the methods for them say in words that they need it.
 */
public final class TreeCatalog {
  private final Monitor changes;

  /** Written under {@link #changes}. */
  private volatile List<LsmTree> list = List.of();

  /** Of the trees that are merged by numbers of their own. */
  private final Map<LsmTree, TreeMerging> merging = new ConcurrentHashMap<>();

  public TreeCatalog(Waiter waiter) {
    this.changes = waiter.newMonitor("tree catalog");
  }

  /** Held while a tree is created or dropped, I/O included. */
  public Monitor changes() {
    return changes;
  }

  /** The trees now, by id. */
  public List<LsmTree> list() {
    return list;
  }

  public @Nullable LsmTree byName(String name) {
    for (LsmTree tree : list) {
      if (tree.name().equals(name)) {
        return tree;
      }
    }
    return null;
  }

  public @Nullable LsmTree byId(int treeId) {
    for (LsmTree tree : list) {
      if (tree.treeId() == treeId) {
        return tree;
      }
    }
    return null;
  }

  /** The name of a tree; null if there is none of that id. */
  public @Nullable String nameOf(int treeId) {
    LsmTree tree = byId(treeId);
    return tree == null ? null : tree.name();
  }

  /** Under {@link #changes}. */
  public void add(LsmTree tree) {
    Map<Integer, LsmTree> next = byId();
    next.put(tree.treeId(), tree);
    list = List.copyOf(next.values());
  }

  /** Under {@link #changes}. */
  void remove(LsmTree tree) {
    Map<Integer, LsmTree> next = byId();
    next.remove(tree.treeId());
    list = List.copyOf(next.values());
    merging.remove(tree);
  }

  /** Those of a tree that has numbers of its own; else null. */
  public @Nullable TreeMerging merging(LsmTree tree) {
    return merging.get(tree);
  }

  /** Under {@link #changes}; null if the tree is to have none. */
  void setMerging(LsmTree tree, @Nullable TreeMerging own) {
    if (own == null) {
      merging.remove(tree);
    } else {
      merging.put(tree, own);
    }
  }

  private Map<Integer, LsmTree> byId() {
    Map<Integer, LsmTree> map = new TreeMap<>();
    for (LsmTree tree : list) {
      map.put(tree.treeId(), tree);
    }
    return map;
  }

  public void close() {
    Throwable first = null;
    for (LsmTree tree : list) {
      first = Closing.run(tree::close, first);
    }
    list = List.of();
    Closing.rethrow(first);
  }
}
