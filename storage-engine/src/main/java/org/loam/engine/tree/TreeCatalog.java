package org.loam.engine.tree;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;
import org.loam.common.error.ClosedException;
import org.loam.engine.operation.Closing;
import org.loam.lsm.ComponentChanges;
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

  private volatile List<ComponentChanges> components = List.of();

  /** The trees by id; guarded by {@link #changes}. */
  private final SortedMap<Integer, OpenTree> open = new TreeMap<>();

  /** What changes the components of each tree. */
  private final ConcurrentMap<LsmTree, ComponentChanges> componentsOf = new ConcurrentHashMap<>();

  /** Of the trees that are merged by numbers of their own. */
  private final ConcurrentMap<LsmTree, TreeMerging> merging = new ConcurrentHashMap<>();

  private volatile Runnable onDropEnded = () -> {};

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

  /** What changes the components of the trees now, by id. */
  public List<ComponentChanges> components() {
    return components;
  }

  /**
   * What changes the components of a tree.
   *
   * @throws ClosedException if the tree was dropped
   */
  public ComponentChanges componentsOf(LsmTree tree) {
    ComponentChanges found = componentsOf.get(tree);
    if (found == null) {
      throw new ClosedException(tree + " was dropped");
    }
    return found;
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
  public void add(OpenTree added) {
    componentsOf.put(added.tree(), added.components());
    open.put(added.tree().treeId(), added);
    publish();
  }

  /** Whether a tree is there, which it still is while it is being dropped. */
  public boolean has(LsmTree tree) {
    return componentsOf.containsKey(tree);
  }

  /**
   * Sets what runs when trees were dropped, or could not be, and when the files of dropped ones
   * came out of use.
   */
  public void onDropEnded(Runnable wake) {
    onDropEnded = wake;
  }

  /** Trees were dropped, or are as before, or files came out of use. */
  void dropEnded() {
    onDropEnded.run();
  }

  /** Under {@link #changes}. */
  void remove(LsmTree tree) {
    open.remove(tree.treeId());
    publish();
    componentsOf.remove(tree);
    merging.remove(tree);
  }

  private void publish() {
    List<LsmTree> trees = open.values().stream().map(OpenTree::tree).toList();
    // At first: a client that finds a tree wakes a worker, which must find what it is to flush.
    components = open.values().stream().map(OpenTree::components).toList();
    list = trees;
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

  public void close() {
    Throwable first = null;
    for (ComponentChanges each : components) {
      first = Closing.run(each::close, first);
    }
    list = List.of();
    components = List.of();
    Closing.rethrow(first);
  }
}
