package org.loam.engine.dataset;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentHashMap.KeySetView;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.ClosedException;
import org.loam.engine.operation.Operations;
import org.loam.lsm.LsmTree;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.lsm.dataset.KeyLocks;
import org.loam.lsm.dataset.TreeRole;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;
import org.loam.scheduler.work.WriteGate;

/**
 * An open dataset, one for all its handles. Once they have extractors, the indexes change only
 * while no writer that has passed the gate holds a key lock, so a writer sees them stand still.
 * Thread-safe.
 */
public final class DatasetState {
  /** An index and its tree. */
  public record Index(IndexDefinition definition, LsmTree tree) {}

  private final Operations operations;
  private final String name;
  private final String rule;
  private final LsmTree records;
  private final KeyLocks locks;
  private final WriteGate gate;
  private final Monitor changes;
  private final DatasetCounters counters = new DatasetCounters();
  private volatile List<Index> indexes = List.of();
  private volatile List<LsmTree> trees = List.of();

  /** Trees of indexes that are not built yet, or could not be. */
  private final KeySetView<LsmTree, Boolean> unfinished = ConcurrentHashMap.newKeySet();

  /** Whether the indexes have extractors: from the first time on that a program opened it. */
  private volatile boolean attached;

  private volatile boolean dropped;

  /** The index for which the gate is shut, or was the last time; empty for a drop. */
  private volatile String building = "";

  /**
   * @param role of the tree of the records, with the name of the dataset and its rule
   */
  DatasetState(
      StorageEnv env,
      StallLog stalls,
      Operations operations,
      TreeRole role,
      LsmTree records,
      List<Index> indexes) {
    this.operations = operations;
    this.name = role.dataset();
    this.rule = role.rule();
    this.records = records;
    this.locks = new KeyLocks(env.waiter(), name);
    this.gate = new WriteGate(records.treeId(), env, stalls);
    this.changes = env.waiter().newMonitor("changes of dataset '" + name + "'");
    setIndexes(indexes);
  }

  private void setIndexes(List<Index> unsorted) {
    List<Index> sorted = new ArrayList<>(unsorted);
    sorted.sort(Comparator.comparing(index -> index.definition().name()));
    List<LsmTree> parts = new ArrayList<>();
    parts.add(records);
    sorted.forEach(index -> parts.add(index.tree()));
    // First: without heap for one of them, the two would not fit each other.
    List<Index> nextIndexes = List.copyOf(sorted);
    List<LsmTree> nextTrees = List.copyOf(parts);
    indexes = nextIndexes;
    trees = nextTrees;
  }

  public String name() {
    return name;
  }

  public String rule() {
    return rule;
  }

  public LsmTree records() {
    return records;
  }

  KeyLocks locks() {
    return locks;
  }

  /** Creates or drops an index, or drops the dataset: one caller after the other. */
  void change(Runnable action) {
    changes.lock();
    try {
      action.run();
    } finally {
      changes.unlock();
    }
  }

  /** Builds an index, {@linkplain #withoutWriters(Runnable) without writers}. */
  void build(String index, Runnable action) {
    building = index;
    withoutWriters(StallCause.INDEX_BUILD, action);
  }

  /**
   * Runs an action of a {@linkplain #change change} when the writers that hold locks have ended,
   * and before others get past the gate.
   */
  void withoutWriters(Runnable action) {
    building = "";
    withoutWriters(StallCause.KEY_LOCK, action);
  }

  private void withoutWriters(StallCause cause, Runnable action) {
    try {
      // In this order: a writer takes its locks before it looks at the gate.
      gate.set(cause);
      locks.awaitHolders();
      action.run();
    } finally {
      gate.set(null);
    }
  }

  /** Where writers wait while an index is built, or something is dropped. */
  WriteGate gate() {
    return gate;
  }

  /** The index whose build writers wait for; empty if they wait for a drop. */
  String building() {
    return building;
  }

  /** Whether writers are to wait. A writer that holds a lock and gets false may go on. */
  boolean isShut() {
    return !gate.isOpen();
  }

  public DatasetCounters counters() {
    return counters;
  }

  public List<Index> indexes() {
    return indexes;
  }

  public @Nullable Index find(String index) {
    return find(indexes, index);
  }

  static @Nullable Index find(List<Index> some, String index) {
    for (Index one : some) {
      if (one.definition().name().equals(index)) {
        return one;
      }
    }
    return null;
  }

  public void requireNoIndex(String index) {
    if (find(index) != null) {
      throw new IllegalArgumentException(
          "dataset '"
              + name
              + "' has an index '"
              + index
              + "' already; drop it first, or choose another name");
    }
  }

  /** All its trees, that of the records first. */
  public List<LsmTree> trees() {
    return trees;
  }

  /** All its trees, and those that have not become indexes. */
  List<LsmTree> allTrees() {
    List<LsmTree> all = new ArrayList<>(trees);
    all.addAll(unfinished);
    return all;
  }

  /** Whether a tree is a part of it, finished or not. */
  boolean owns(LsmTree tree) {
    return unfinished.contains(tree) || trees.stream().anyMatch(part -> part == tree);
  }

  /** A tree becomes an index, as soon as that is {@linkplain #add added}. */
  void begin(LsmTree tree) {
    unfinished.add(tree);
  }

  /** The tree of that name which has not become an index; null if there is none. */
  @Nullable LsmTree unfinished(String treeName) {
    for (LsmTree tree : unfinished) {
      if (tree.name().equals(treeName)) {
        return tree;
      }
    }
    return null;
  }

  /** The tree is gone. */
  void abandon(LsmTree tree) {
    unfinished.remove(tree);
  }

  public void requireOpen() {
    if (dropped) {
      throw new ClosedException("dataset '" + name + "' was dropped");
    }
    operations.requireOpen();
    records.requireNotDropped();
  }

  /** Asked before {@link #indexes}, it says whether these have extractors. */
  public boolean isAttached() {
    return attached;
  }

  /**
   * The indexes get extractors, unless they have some. Beside writers, which may hold locks for
   * long: before, no program can write to the dataset, or change its indexes.
   */
  synchronized void attach(List<Index> withExtractors) {
    if (!attached) {
      // In this order: a verification asks without a lock, and then uses the extractors.
      setIndexes(withExtractors);
      attached = true;
    }
  }

  // ---- Without writers.

  void add(Index index) {
    List<Index> next = new ArrayList<>(indexes);
    next.add(index);
    setIndexes(next);
    unfinished.remove(index.tree());
  }

  void remove(Index index) {
    List<Index> next = new ArrayList<>(indexes);
    next.remove(index);
    setIndexes(next);
  }

  void markDropped() {
    dropped = true;
  }
}
