package org.loam.engine.scheme;

import org.jspecify.annotations.Nullable;
import org.loam.engine.report.FlushChoice.Rule;
import org.loam.engine.scheme.MemoryScheme.Victims;
import org.loam.lsm.LsmTree;
import org.loam.lsm.memory.MemoryComponent;

/** Whether a component is full by itself, whatever else there is. */
final class Fullness {
  private Fullness() {}

  /**
   * The component, if it has reached a size; else null.
   *
   * @param mostBytes the size at which it is full
   */
  static @Nullable Victims of(LsmTree tree, MemoryComponent active, long mostBytes) {
    return active.isFrozen() || active.usedBytes() < mostBytes
        ? null
        : Victims.of(Rule.FULL, tree, active);
  }
}
