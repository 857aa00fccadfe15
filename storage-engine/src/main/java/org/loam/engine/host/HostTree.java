package org.loam.engine.host;

/**
 * What a tree does for a program with transactions of its own, beside what it does for all. Faults
 * are those of the tree. Thread-safe.
 */
public interface HostTree {
  /**
   * Takes back the newest write of a key, for the rollback of a host's transaction: what was before
   * shows again. Writes are taken back in the opposite order of their making, and before the next
   * flush of the tree begins.
   *
   * @return false if nothing was written to the key since the last flush began
   * @throws UnsupportedOperationException if the engine has no {@link HostLog}
   */
  boolean undo(byte[] key);

  /**
   * Puts on record that the host keeps writers of the tree out until it has been flushed: a stall
   * of its own.
   *
   * @return ends it; to be run once
   */
  Runnable beginStall();

  /** The value of a key, and whether write memory has the key. */
  Found find(byte[] key);

  /** A cursor over a range as it is now. Close it, or old versions are kept for it. */
  HostCursor scan(HostScan range);
}
