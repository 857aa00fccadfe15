package org.loam.lsm;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.version.DiskVersion;
import org.loam.scheduler.merge.TreeShape;
import org.loam.scheduler.run.WriteGate;

/**
 * What a tree is at the moment: its version, its behaviour, whether it takes writes. {@link
 * LsmTree} reads and writes it, {@link ComponentChanges} changes its components. Thread-safe.
 */
final class TreeState {
  private final int treeId;
  private final String name;
  private final TreeServices services;
  private final WriteGate gate;
  private final AtomicReference<TreeVersion> version;
  private volatile TreeBehaviour behaviour;
  private volatile boolean dropped;
  private volatile boolean loading;

  TreeState(
      int treeId, String name, TreeServices services, TreeBehaviour behaviour, DiskVersion disk) {
    this.treeId = treeId;
    this.name = name;
    this.services = services;
    this.behaviour = behaviour;
    this.gate = new WriteGate(treeId, services.env(), services.stalls());
    this.version = new AtomicReference<>(TreeVersion.of(newComponent(), disk));
  }

  int treeId() {
    return treeId;
  }

  String name() {
    return name;
  }

  TreeServices services() {
    return services;
  }

  WriteGate gate() {
    return gate;
  }

  /** Opens or shuts the gate, or sets the pace, as the behaviour says of a shape. */
  void updateGate(TreeShape shape) {
    TreeBehaviour now = behaviour;
    gate.update(now.constraint(), now.writeControl(), shape);
  }

  TreeBehaviour behaviour() {
    return behaviour;
  }

  void setBehaviour(TreeBehaviour changed) {
    behaviour = changed;
  }

  // ---- The version.

  TreeVersion version() {
    TreeVersion now = version.get();
    if (now == null) {
      throw new AssertionError("a tree has a version");
    }
    return now;
  }

  void changeVersion(UnaryOperator<TreeVersion> change) {
    version.updateAndGet(change);
  }

  /** Changes the version; returns the one before. */
  TreeVersion replaceVersion(UnaryOperator<TreeVersion> change) {
    TreeVersion before = version.getAndUpdate(change);
    if (before == null) {
      throw new AssertionError("a tree has a version");
    }
    return before;
  }

  /** Replaces the version for good; returns the last one. */
  TreeVersion takeVersion(TreeVersion empty) {
    return replaceVersion(last -> empty);
  }

  MemoryComponent newComponent() {
    TreeServices.Memory memory = services.memory();
    return new MemoryComponent(memory.writeMemory(), memory.pageBytes(), services.env().waiter());
  }

  // ---- Whether it takes writes. Changes only under the commit latch.

  boolean isDropped() {
    return dropped;
  }

  void setDropped(boolean isDropped) {
    dropped = isDropped;
  }

  boolean isLoading() {
    return loading;
  }

  void setLoading(boolean isLoading) {
    loading = isLoading;
  }
}
