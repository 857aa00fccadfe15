package org.loam.common.sim;

/** What a simulated crash takes with it. */
public enum CrashKind {
  /** As {@code kill -9}: all that was written or mapped stays, handles and locks are gone. */
  PROCESS_DEATH,
  /**
   * The device keeps any subset of what was not forced: pages in any of their unforced versions,
   * torn at sectors, sizes apart from data, names apart from files.
   */
  POWER_LOSS
}
