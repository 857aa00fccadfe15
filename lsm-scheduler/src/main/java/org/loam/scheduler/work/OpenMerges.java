package org.loam.scheduler.work;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;

/**
 * The open merges, and the one whose turn is next: stride scheduling over the shares that the merge
 * scheduler gives. Not thread-safe; its owner's lock guards it.
 */
final class OpenMerges {
  /** An open merge. */
  static final class Slot {
    private final MergePlan plan;
    private final BackgroundOperation operation;
    private final IoClass ownClass;
    private final RateLimiter.Claim claim;

    /** Bytes transferred, divided by the share held at the time. */
    private double pass;

    private double share;
    private boolean taken;

    /** See {@link MergeScheduler.OpenMerge#pressure}; of the latest survey. */
    private double pressure;

    Slot(MergePlanner.Candidate candidate, BackgroundOperation operation, RateLimiter.Claim claim) {
      this.plan = candidate.plan();
      this.operation = operation;
      this.ownClass = operation.ioClass();
      this.claim = claim;
      this.pressure = candidate.pressure();
    }

    MergePlan plan() {
      return plan;
    }

    BackgroundOperation operation() {
      return operation;
    }

    RateLimiter.Claim claim() {
      return claim;
    }
  }

  private final List<Slot> slots = new ArrayList<>();
  private MergeScheduler scheduler;

  /** The pass of the merge taken last. A merge that was behind it would catch up on a pause. */
  private double pass;

  OpenMerges(MergeScheduler scheduler) {
    this.scheduler = scheduler;
  }

  void setScheduler(MergeScheduler changed) {
    scheduler = changed;
  }

  int size() {
    return slots.size();
  }

  /** Input bytes that are not yet consumed. */
  long remainingInputBytes() {
    return slots.stream().mapToLong(slot -> slot.operation.remainingInputBytes()).sum();
  }

  boolean isEmpty() {
    return slots.isEmpty();
  }

  int countBelowL0() {
    return (int) slots.stream().filter(slot -> slot.plan.fromLevel() > Level.L0).count();
  }

  /** The number of merges that relieve no tree which nearly stops its writers. */
  int countCalm() {
    return (int)
        slots.stream().filter(slot -> slot.pressure < GreedyScheduler.NEARLY_STOPPED).count();
  }

  void add(Slot slot) {
    slot.pass = pass;
    slots.add(slot);
  }

  void remove(Slot slot) {
    slots.remove(slot);
  }

  /** Empties the list; returns the operations in the order they were opened. */
  List<BackgroundOperation> removeAll() {
    List<BackgroundOperation> operations = new ArrayList<>();
    for (Slot slot : slots) {
      operations.add(slot.operation);
    }
    slots.clear();
    return operations;
  }

  /**
   * The merge that is most behind its share, for the caller alone; null if all are taken.
   *
   * @param urgentOnly whether only those are looked at that nearly stop writers, or that a flush
   *     waits for
   */
  @Nullable Slot take(boolean urgentOnly) {
    share();
    Slot next = null;
    for (Slot slot : slots) {
      if (!slot.taken && slot.share > 0 && (!urgentOnly || isUrgent(slot))) {
        slot.pass = Math.max(slot.pass, pass);
        if (next == null || slot.pass < next.pass) {
          next = slot;
        }
      }
    }
    if (next != null) {
      next.taken = true;
      pass = next.pass;
    }
    return next;
  }

  private static boolean isUrgent(Slot slot) {
    return slot.pressure >= GreedyScheduler.NEARLY_STOPPED || slot.claim.ioClass() == IoClass.FLUSH;
  }

  /** The end of a turn. */
  void giveBack(Slot slot, long transferredBytes) {
    slot.taken = false;
    slot.pass += transferredBytes / slot.share;
  }

  /** Sets the urgencies that blocked work lends; all other merges go back to their own class. */
  void setUrgencies(List<MergePlanner.Urgency> urgencies) {
    for (Slot slot : slots) {
      IoClass ioClass = slot.ownClass;
      slot.pressure = 0;
      for (MergePlanner.Urgency urgency : urgencies) {
        if (urgency.plan().equals(slot.plan)) {
          ioClass = urgency.ioClass().isBefore(ioClass) ? urgency.ioClass() : ioClass;
          slot.pressure = Math.max(slot.pressure, urgency.pressure());
        }
      }
      slot.claim.setIoClass(ioClass);
    }
  }

  private void share() {
    List<MergeScheduler.OpenMerge> views = new ArrayList<>(slots.size());
    for (Slot slot : slots) {
      views.add(
          new MergeScheduler.OpenMerge(
              slot.plan.treeId(),
              slot.plan.fromLevel(),
              slot.claim.ioClass(),
              slot.operation.remainingInputBytes(),
              slot.pressure));
    }
    double[] shares = new double[slots.size()];
    scheduler.allocate(views, shares);
    for (int i = 0; i < shares.length; i++) {
      boolean blocksFlush = views.get(i).ioClass() == IoClass.FLUSH;
      double share = shares[i] <= 0 && blocksFlush ? 1.0 / shares.length : shares[i];
      if (!slots.get(i).taken) {
        setShare(slots.get(i), share);
      }
    }
  }

  /**
   * Changes a share, and keeps the lead of the merge as a number of bytes. So a merge that had a
   * small share and gets a large one does not wait as long as with its old share.
   */
  private void setShare(Slot slot, double share) {
    if (slot.share > 0 && share > 0 && slot.pass > pass) {
      slot.pass = pass + (slot.pass - pass) * slot.share / share;
    }
    slot.share = share;
  }
}
