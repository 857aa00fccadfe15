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

  /** Asks for a merge of everything on disk into the last level. */
  void request(DiskVersion disk) {
    uncompacted.clear();
    for (Place place : disk.places()) {
      if (place.level() != Level.LAST) {
        uncompacted.add(place.table().fileId());
      }
    }
    compacting = !uncompacted.isEmpty();
  }

  /** Tables have become others: what was asked to go to the last level is there, or is in these. */
  void noteMerged(int targetLevel, Collection<Integer> inputs, List<LiveTable> result) {
    boolean concerned = uncompacted.removeAll(inputs);
    if (concerned && targetLevel != Level.LAST) {
      result.forEach(table -> uncompacted.add(table.fileId()));
    }
    compacting = !uncompacted.isEmpty();
  }

  /** Whether one that was asked for is not done yet. Under any lock. */
  boolean isUnderWay() {
    return compacting;
  }
}
