package org.loam.lsm;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.loam.lsm.version.DiskVersion;
import org.loam.lsm.version.DiskVersion.Place;
import org.loam.lsm.version.LiveTable;
import org.loam.scheduler.merge.Component;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;

/**
 * Which tables a compaction of a tree has yet to merge: those above the last level, and those in it
 * that {@linkplain LiveTable#mayShrink may shrink}. Under its install lock.
 *
 * <p>A table is merged once for a request, even if the result may still shrink: a reader that is
 * open needs what it could lose, and the compaction does not wait for the reader. The next request
 * takes the result.
 */
final class Compaction {
  /** Ids of the components; replaced as a whole. */
  private volatile Set<Long> uncompacted = Set.of();

  /** How many requests there were. */
  private int requests;

  /** Requests that something still waits for. */
  private int awaited;

  /** Whether there are any. */
  private volatile boolean isAwaited;

  /** Asks for a merge of everything on disk into the last level. */
  void request(DiskVersion disk) {
    requests++;
    awaited++;
    isAwaited = true;
    Set<Long> found = new HashSet<>();
    for (Place place : disk.places()) {
      if (place.level() != Level.LAST || place.table().mayShrink()) {
        found.add(place.table().component().id());
      }
    }
    uncompacted = found;
  }

  /**
   * Nothing waits for one of the requests any more, whether it is done or not. After the last one,
   * what the compaction has not merged is merged as without it.
   */
  void endRequest() {
    awaited--;
    isAwaited = awaited > 0;
  }

  /** How many requests there were, for {@link #noteMerged}. */
  int requests() {
    return requests;
  }

  /**
   * Tables have become others: what was asked to go to the last level is there, or is in these.
   *
   * @param requestsBefore how many requests there were when the merge began: for a reader that was
   *     open then and is closed now, it may have kept what a later request is to remove
   */
  void noteMerged(MergePlan plan, int requestsBefore, List<LiveTable> result) {
    Set<Long> left = new HashSet<>(uncompacted);
    boolean isConcerned = false;
    for (Component input : plan.inputs()) {
      isConcerned |= left.remove(input.id());
    }
    boolean isAbove = plan.targetLevel() != Level.LAST;
    for (LiveTable table : result) {
      if (isConcerned && (isAbove || (requestsBefore < requests && table.mayShrink()))) {
        left.add(table.component().id());
      }
    }
    uncompacted = left;
  }

  /** What is to be merged for a request that something waits for. Under any lock. */
  Set<Long> wanted() {
    return isAwaited ? uncompacted : Set.of();
  }

  /** Whether a plan is what something waits for. */
  boolean wants(MergePlan plan) {
    Set<Long> wanted = wanted();
    return plan.inputs().stream().anyMatch(input -> wanted.contains(input.id()));
  }

  /** Whether one that was asked for is not done yet, awaited or not. Under any lock. */
  boolean isUnderWay() {
    return !uncompacted.isEmpty();
  }
}
