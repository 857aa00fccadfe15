package org.loam.lsm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.loam.lsm.version.DiskVersion;
import org.loam.lsm.version.DiskVersion.Place;
import org.loam.lsm.version.LiveTable;
import org.loam.scheduler.merge.Component;
import org.loam.scheduler.merge.KeyRange;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;

/**
 * Which tables a compaction of a tree has yet to merge: those above the last level, and those in it
 * that {@linkplain LiveTable#mayShrink may shrink}. Under its install lock.
 *
 * <p>Above the last level a result of what was there at the request is to be merged, too, but only
 * between the keys that the request is about: other merges put it together with newer entries of
 * any keys. So these keys never become more, the first of them in a level goes up with each part of
 * the compaction, and the compaction ends under writes.
 *
 * <p>A table is merged once for a request, even if the result may still shrink: a reader that is
 * open needs what it could lose, and the compaction does not wait for the reader. The next request
 * takes the result.
 */
final class Compaction {
  /** The components by id, and which of their keys; replaced as a whole. */
  private volatile Map<Long, KeyRange> uncompacted = Map.of();

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
    Map<Long, KeyRange> found = new HashMap<>();
    for (Place place : disk.places()) {
      if (place.level() != Level.LAST || place.table().mayShrink()) {
        Component component = place.table().component();
        found.put(component.id(), component.range());
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
    Map<Long, KeyRange> left = new HashMap<>(uncompacted);
    List<KeyRange> merged = new ArrayList<>();
    for (Component input : plan.inputs()) {
      KeyRange keys = left.remove(input.id());
      if (keys != null) {
        merged.add(keys);
      }
    }
    boolean isAbove = plan.targetLevel() != Level.LAST;
    for (LiveTable table : result) {
      KeyRange keys = common(table.component().range(), merged);
      if (keys != null && (isAbove || (requestsBefore < requests && table.mayShrink()))) {
        left.put(table.component().id(), keys);
      }
    }
    uncompacted = left;
  }

  /** The smallest range of what a range has in common with others; null if that is nothing. */
  private static @Nullable KeyRange common(KeyRange range, List<KeyRange> others) {
    KeyRange common = null;
    for (KeyRange other : others) {
      if (range.overlaps(other)) {
        KeyRange both = range.intersection(other);
        common = common == null ? both : common.hull(both);
      }
    }
    return common;
  }

  /** What is to be merged for a request that something waits for. Under any lock. */
  Map<Long, KeyRange> wanted() {
    return isAwaited ? uncompacted : Map.of();
  }

  /** Whether a plan is what something waits for. */
  boolean wants(MergePlan plan) {
    Map<Long, KeyRange> wanted = wanted();
    return plan.inputs().stream().anyMatch(input -> wanted.containsKey(input.id()));
  }

  /** Whether one that was asked for is not done yet, awaited or not. Under any lock. */
  boolean isUnderWay() {
    return !uncompacted.isEmpty();
  }
}
