package org.loam.lsm;

import java.util.List;
import org.loam.lsm.MemoryRanges.Frozen;
import org.loam.lsm.memory.MemoryComponent;

/** What a host with transactions of its own does to a tree, and asks of it. */
final class HostedTree {
  private HostedTree() {}

  /**
   * Takes the newest version of a key away, for the rollback of a host's transaction; the version
   * below shows again. Versions are taken back in the opposite order of their writing, before the
   * transaction counts as ended for the {@link TreeServices.CommitGate}. Under the commit latch,
   * inside a memory epoch.
   *
   * @return false if the newest version in memory has another LSN, or there is none: the write was
   *     undone before, or never came here
   */
  static boolean undo(LsmTree tree, long key, int keyLength, long lsn) {
    MemoryRanges.Range range = tree.version().memory.of(key, keyLength);
    if (range.active().find(key, keyLength, Long.MAX_VALUE) > 0) {
      return range.active().undo(key, keyLength, lsn);
    }
    for (Frozen frozen : range.frozen()) {
      MemoryComponent component = frozen.runs().get(0).component();
      if (component.find(key, keyLength, Long.MAX_VALUE) > 0) {
        if (tree.services().gate().mayFlush(frozen.endLsn())) {
          throw new AssertionError("undo of LSN " + lsn + ", which may have been flushed");
        }
        return component.undo(key, keyLength, lsn);
      }
    }
    return false;
  }

  /**
   * The greatest LSN such that every write of the tree up to it is on disk, or was undone: what a
   * host's log may be told. Under the commit latch.
   *
   * @param endLsn end of the log now
   */
  static long durableThroughLsn(LsmTree tree, long endLsn) {
    return Math.min(endLsn, tree.minUnflushedLsn(List.of())) - 1;
  }
}
