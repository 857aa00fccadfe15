package org.loam.engine.host;

import org.jspecify.annotations.Nullable;

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
   * Freezes what is in memory, for background threads to write it to disk components; what is
   * written from now on goes to new memory.
   *
   * @return what to give {@link #awaitFlushed}
   */
  long beginFlush();

  /**
   * Waits until everything that was written before a {@link #beginFlush} is in disk components.
   *
   * @param flush what that returned
   * @throws org.loam.common.error.StorageException if the flush failed. It is tried again in the
   *     background, and the caller may wait again
   */
  void awaitFlushed(long flush);

  /**
   * Puts on record that the host keeps writers of the tree out until it has been flushed: a stall
   * of its own.
   *
   * @return ends it; to be run once
   */
  Runnable beginStall();

  /**
   * Begins a load past write memory, as {@code Tree.bulkLoad} does, if that is possible now: for a
   * host that can also fill the tree in another way.
   *
   * @return null if the tree has an entry, where one that deletes counts too, or if as many loads
   *     are open as {@code write.bulkLoads} says; the tree is as before then
   * @throws IllegalStateException if it is being loaded already
   */
  @Nullable HostLoad tryBulkLoad();

  /** The value of a key, and whether write memory has the key. */
  Found find(byte[] key);

  /** A cursor over a range as it is now. Close it, or old versions are kept for it. */
  HostCursor scan(HostScan range);
}
