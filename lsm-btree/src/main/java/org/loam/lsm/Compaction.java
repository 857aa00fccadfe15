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

  /** Whether the last request was taken back. */
  private volatile boolean takenBack;

  private int requests;

  /** Asks for a merge of everything on disk into the last level; returns which request it is. */
  int request(DiskVersion disk) {
    takenBack = false;
    uncompacted.clear();
    for (Place place : disk.places()) {
      if (place.level() != Level.LAST) {
        uncompacted.add(place.table().fileId());
      }
    }
    compacting = !uncompacted.isEmpty();
    return ++requests;
  }

  /**
   * Takes a request back, unless a later one has come: that is for all tables of this one. What the
   * compaction has not merged is merged as without it.
   */
  void takeBack(int request) {
    takenBack = takenBack || request == requests;
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
    return compacting && !takenBack;
  }

  /** Whether one that was asked for is not done yet, taken back or not. Under any lock. */
  boolean isUnderWay() {
    return compacting;
  }
}
