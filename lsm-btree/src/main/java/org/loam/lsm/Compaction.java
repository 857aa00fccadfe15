package org.loam.lsm;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.loam.lsm.version.DiskVersion;
import org.loam.lsm.version.DiskVersion.Place;
import org.loam.lsm.version.LiveTable;
import org.loam.scheduler.merge.Level;

/**
 * Which tables a compaction of a tree has yet to bring to the last level. Under its install lock.
 */
final class Compaction {
  /** File ids of the tables. */
  private final TreeSet<Integer> uncompacted = new TreeSet<>();

  private volatile boolean compacting;

  /** Requests that something still waits for. */
  private int awaited;

  /** Whether there are any. */
  private volatile boolean isAwaited;

  /** Asks for a merge of everything on disk into the last level. */
  void request(DiskVersion disk) {
    awaited++;
    isAwaited = true;
    uncompacted.clear();
    for (Place place : disk.places()) {
      if (place.level() != Level.LAST) {
        uncompacted.add(place.table().fileId());
      }
    }
    compacting = !uncompacted.isEmpty();
  }

  /**
   * Nothing waits for one of the requests any more, whether it is done or not. After the last one,
   * what the compaction has not merged is merged as without it.
   */
  void endRequest() {
    awaited--;
    isAwaited = awaited > 0;
  }

  /** Tables have become others: what was asked to go to the last level is there, or is in these. */
  void noteMerged(int targetLevel, Collection<Integer> inputs, List<LiveTable> result) {
    boolean concerned = uncompacted.removeAll(inputs);
    if (concerned && targetLevel != Level.LAST) {
      result.forEach(table -> uncompacted.add(table.fileId()));
    }
    compacting = !uncompacted.isEmpty();
  }

  /** Whether it takes the place of all other merges. Under any lock. */
  boolean isWanted() {
    return compacting && isAwaited;
  }

  /** Whether one that was asked for is not done yet, awaited or not. Under any lock. */
  boolean isUnderWay() {
    return compacting;
  }
}
