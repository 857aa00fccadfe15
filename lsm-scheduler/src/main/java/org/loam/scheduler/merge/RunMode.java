package org.loam.scheduler.merge;

/** What merges are for. */
public enum RunMode {
  /** Writes come, or a merge is due. */
  RUNNING,
  /** No writes come and no merge is due: merges that reads gain from. */
  QUIET
}
