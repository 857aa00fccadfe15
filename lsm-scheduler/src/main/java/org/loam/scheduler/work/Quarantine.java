package org.loam.scheduler.work;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.loam.scheduler.merge.Component;
import org.loam.scheduler.merge.MergePlan;

/**
 * Plans that met corruption and rest for a while. To the policies they look like running ones, so
 * that these plan around them. Guarded by its owner.
 */
final class Quarantine {
  /** Longest rest, as a multiple of the first. */
  private static final int MAX_GROWTH = 128;

  private record Entry(MergePlan plan, Backoff backoff) {}

  private final long firstNanos;
  private final List<Entry> entries = new ArrayList<>();

  Quarantine(long firstNanos) {
    this.firstNanos = firstNanos;
  }

  /** The plan failed; returns how long it rests: longer if one of its inputs did so before. */
  long begin(MergePlan plan, long nowNanos) {
    Backoff backoff = new Backoff(firstNanos, firstNanos * MAX_GROWTH);
    for (Entry entry : entries) {
      if (sharesInput(entry.plan, plan) && entry.backoff.lengthNanos() > backoff.lengthNanos()) {
        backoff = entry.backoff;
      }
    }
    entries.removeIf(entry -> sharesInput(entry.plan, plan));
    entries.add(new Entry(plan, backoff));
    return backoff.begin(nowNanos);
  }

  /** The plan's inputs are sound after all, and gone. */
  void succeeded(MergePlan plan) {
    entries.removeIf(entry -> sharesInput(entry.plan, plan));
  }

  void clear() {
    entries.clear();
  }

  /** The plans that rest now. */
  List<MergePlan> resting(long nowNanos) {
    List<MergePlan> plans = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry.backoff.isResting(nowNanos)) {
        plans.add(entry.plan);
      }
    }
    return plans;
  }

  /** When the first of the plans that rest now may be tried again; now if none rests. */
  long firstEndNanos(long nowNanos) {
    long least = Long.MAX_VALUE;
    for (Entry entry : entries) {
      long left = entry.backoff.leftNanos(nowNanos);
      if (left > 0) {
        least = Math.min(least, left);
      }
    }
    return least == Long.MAX_VALUE ? nowNanos : nowNanos + least;
  }

  private static boolean sharesInput(MergePlan a, MergePlan b) {
    if (a.treeId() != b.treeId()) {
      return false;
    }
    Set<Long> ids = new HashSet<>();
    for (Component input : a.inputs()) {
      ids.add(input.id());
    }
    for (Component input : b.inputs()) {
      if (ids.contains(input.id())) {
        return true;
      }
    }
    return false;
  }
}
