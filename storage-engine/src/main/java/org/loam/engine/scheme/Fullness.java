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
   * The component, if it has reached a size, or a quarter of it and holds mostly versions that were
   * overwritten; else null.
   *
   * @param mostBytes the size at which it is full
   */
  static @Nullable Victims of(LsmTree tree, MemoryComponent active, long mostBytes) {
    if (active.isFrozen()) {
      return null;
    }
    long used = active.usedBytes();
    if (used >= mostBytes) {
      return Victims.of(Rule.FULL, tree, active);
    }
    boolean isGarbage = active.supersededBytes() > used / 2 && used >= mostBytes / 4;
    return isGarbage ? Victims.of(Rule.GARBAGE, tree, active) : null;
  }
}
