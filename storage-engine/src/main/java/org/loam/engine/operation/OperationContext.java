package org.loam.engine.operation;

import org.loam.lsm.Workspace;

/** What one operation at a time needs, so that it allocates nothing. */
public final class OperationContext {
  private final int slot;

  /** Changed by the operation in the slot; another thread may read an older value. */
  long entered;

  public final Workspace workspace;

  OperationContext(int slot, int scratchBytes) {
    this.slot = slot;
    this.workspace = new Workspace(scratchBytes);
  }

  /**
   * Its place among the contexts, below {@link Operations#MAX_CONCURRENT}: a room may keep
   * something of its own for each, to be used by the operation in it alone.
   */
  public int slot() {
    return slot;
  }
}
