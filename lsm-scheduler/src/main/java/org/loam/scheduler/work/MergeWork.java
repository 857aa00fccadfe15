package org.loam.scheduler.work;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.StorageException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.RunMode;

/**
 * What a merge worker does: each turn it either looks for one more merge to open or advances one of
 * the open ones by a quantum.
 */
final class MergeWork implements Runnable {
  /**
   * Readers wake no worker. So a look comes that often at a tree for which they may call for a
   * merge, and at files that wait until they leave.
   */
  private static final long READS_NANOS = 1_000_000_000L;

  /** A turn: a merge to advance, or none, which means to look for another one. */
  private record Turn(OpenMerges.@Nullable Slot slot, boolean stop) {}

  /** What a look at the trees starts from. */
  private record Look(
      long version,
      int openCount,
      int belowL0Count,
      int calmCount,
      boolean afterFault,
      Set<Integer> failedTrees,
      List<MergePlan> resting,
      RunMode mode) {}

  private final WorkSignal signal;
  private final WorkSource source;
  private final Quanta quanta;
  private final WorkReports reports;
  private final int openLimit;

  /** Of the thread that is looking. */
  private final MergePlanner planner = new MergePlanner();

  @GuardedBy("signal.monitor")
  private final OpenMerges open;

  @GuardedBy("signal.monitor")
  private final Backoff rest;

  /** Trees whose merges have failed since one succeeded, each of them once. */
  @GuardedBy("signal.monitor")
  private final Set<Integer> failedTrees = new HashSet<>();

  @GuardedBy("signal.monitor")
  private final Quarantine quarantine;

  @GuardedBy("signal.monitor")
  private final NextLook nextLook;

  /** Whether writers wait, or nearly do, for a flush that is on its way. */
  @GuardedBy("signal.monitor")
  private boolean flushLate;

  @GuardedBy("signal.monitor")
  private int busyWorkers;

  @GuardedBy("signal.monitor")
  private boolean looking;

  MergeWork(
      WorkSignal signal,
      WorkSource source,
      Quanta quanta,
      WorkReports reports,
      MergeScheduler scheduler,
      BackgroundWorkers.Settings settings) {
    this.signal = signal;
    this.source = source;
    this.quanta = quanta;
    this.reports = reports;
    this.openLimit = settings.openMerges();
    this.open = new OpenMerges(scheduler);
    this.rest = new Backoff(settings.minRetryNanos(), settings.maxRetryNanos());
    this.quarantine = new Quarantine(settings.maxRetryNanos());
    this.nextLook = new NextLook(settings.quietNanos(), signal.nowNanos());
  }

  void setFlushLate(boolean late) {
    signal.monitor.lock();
    try {
      if (flushLate != late) {
        flushLate = late;
        signal.wakeAll();
      }
    } finally {
      signal.monitor.unlock();
    }
  }

  void setScheduler(MergeScheduler changed) {
    signal.monitor.lock();
    try {
      open.setScheduler(changed);
      signal.wakeAll();
    } finally {
      signal.monitor.unlock();
    }
  }

  boolean isIdle(long nowNanos) {
    signal.monitor.lock();
    try {
      return busyWorkers == 0
          && open.isEmpty()
          && (!nextLook.isDue(signal.version(), nowNanos) || rest.isResting(nowNanos));
    } finally {
      signal.monitor.unlock();
    }
  }

  BackgroundWorkers.OpenWork openWork() {
    signal.monitor.lock();
    try {
      return new BackgroundWorkers.OpenWork(open.size(), open.remainingInputBytes());
    } finally {
      signal.monitor.unlock();
    }
  }

  void endRest() {
    signal.monitor.lock();
    try {
      rest.clear();
      failedTrees.clear();
      quarantine.clear();
      signal.changed();
    } finally {
      signal.monitor.unlock();
    }
  }

  /** What the stopped workers left; empties the list. */
  List<BackgroundOperation> takeLeft() {
    signal.monitor.lock();
    try {
      return open.removeAll();
    } finally {
      signal.monitor.unlock();
    }
  }

  @Override
  public void run() {
    for (Turn turn = awaitTurn(); !turn.stop; turn = awaitTurn()) {
      if (turn.slot == null) {
        openOne();
      } else {
        advance(turn.slot);
      }
    }
  }

  private Turn awaitTurn() {
    signal.monitor.lock();
    try {
      while (!signal.stopping()) {
        long now = signal.nowNanos();
        boolean resting = rest.isResting(now);
        if (!looking && !resting && nextLook.isDue(signal.version(), now)) {
          looking = true;
          busyWorkers++;
          return new Turn(null, false);
        }
        OpenMerges.Slot slot = open.take(flushLate && signal.isFlushing());
        if (slot != null) {
          busyWorkers++;
          return new Turn(slot, false);
        }
        if (resting && !looking) {
          signal.await(rest.leftNanos(now));
        } else if (nextLook.isTimed() && !looking) {
          signal.await(nextLook.leftNanos(now));
        } else {
          signal.await();
        }
      }
      return new Turn(null, true);
    } finally {
      signal.monitor.unlock();
    }
  }

  /** Looks for the most urgent merge that can start and opens it. */
  private void openOne() {
    Look look = look(source.latestWrite());
    // After the version: files that come out of use later change it.
    boolean filesAreLeft = source.deleteUnused();
    MergePlanner.Survey survey = planner.survey(source.mergeTrees(), look.resting, look.mode);
    endLook(look, survey, open(survey, look), filesAreLeft);
  }

  private OpenMerges.@Nullable Slot open(MergePlanner.Survey survey, Look look) {
    for (MergePlanner.Candidate candidate : inTurn(survey.candidates(), look.failedTrees)) {
      BackgroundOperation operation =
          look.openCount < limit(candidate, look) ? candidate.tree().open(candidate.plan()) : null;
      if (operation != null) {
        return new OpenMerges.Slot(candidate, operation, quanta.newClaim(candidate.ioClass()));
      }
    }
    return null;
  }

  /**
   * Trees that have failed come last. With a merge at a time after a fault, a tree that cannot be
   * read would otherwise keep all others from theirs, for as long as it is the most urgent one.
   */
  private static List<MergePlanner.Candidate> inTurn(
      List<MergePlanner.Candidate> candidates, Set<Integer> failedTrees) {
    if (failedTrees.isEmpty()) {
      return candidates;
    }
    List<MergePlanner.Candidate> inTurn = new ArrayList<>(candidates);
    inTurn.sort(Comparator.comparing(candidate -> failedTrees.contains(candidate.plan().treeId())));
    return inTurn;
  }

  private void endLook(
      Look look, MergePlanner.Survey survey, OpenMerges.@Nullable Slot slot, boolean filesAreLeft) {
    signal.monitor.lock();
    try {
      looking = false;
      busyWorkers--;
      open.setUrgencies(survey.urgencies());
      if (slot != null) {
        open.add(slot);
      } else {
        nextLook.foundNothing(look.version);
        if (survey.mayBecomeDue() || filesAreLeft) {
          nextLook.at(signal.nowNanos() + READS_NANOS);
        }
      }
      signal.wakeAll();
    } finally {
      signal.monitor.unlock();
    }
  }

  /**
   * After a fault one merge alone finds out whether all is well again. Merges of the levels below
   * never keep one out of L0 waiting, nor merges that relieve nothing one that relieves a tree
   * which nearly stops its writers; nor do these keep the others waiting by filling every slot.
   */
  private int limit(MergePlanner.Candidate candidate, Look look) {
    if (look.afterFault) {
      return 1;
    }
    int passed = candidate.plan().fromLevel() == Level.L0 ? look.belowL0Count : 0;
    if (candidate.pressure() >= GreedyScheduler.NEARLY_STOPPED) {
      passed = Math.max(passed, look.calmCount);
    }
    return openLimit + Math.min(BackgroundWorkers.Settings.MORE_URGENT, passed);
  }

  private Look look(long write) {
    signal.monitor.lock();
    try {
      long now = signal.nowNanos();
      List<MergePlan> resting = quarantine.resting(now);
      nextLook.begin();
      if (!resting.isEmpty()) {
        nextLook.at(quarantine.firstEndNanos(now));
      }
      return new Look(
          signal.version(),
          open.size(),
          open.countBelowL0(),
          open.countCalm(),
          rest.lengthNanos() > 0,
          Set.copyOf(failedTrees),
          resting,
          isQuiet(write, now) ? RunMode.QUIET : RunMode.RUNNING);
    } finally {
      signal.monitor.unlock();
    }
  }

  /** Whether a merge that is not due may be opened. A flush that ends is a reason to look again. */
  @GuardedBy("signal.monitor")
  private boolean isQuiet(long write, long nowNanos) {
    return nextLook.isQuiet(write, nowNanos) && !signal.isFlushing() && open.isEmpty();
  }

  private void advance(OpenMerges.Slot slot) {
    BackgroundOperation merge = slot.operation();
    long before = merge.transferredBytes();
    StepResult result;
    try {
      result = quanta.advance(merge, slot.claim());
    } catch (StorageException fault) {
      remove(slot);
      merge.abort();
      boolean isDamage = isDamage(fault);
      int treeId = isDamage ? slot.plan().treeId() : WorkListener.ALL_TREES;
      reports.report(merge, fault, treeId, rest(slot, isDamage));
      return;
    }
    endTurn(slot, merge.transferredBytes() - before, result);
    if (result == StepResult.DONE) {
      reports.done(merge);
    }
  }

  private void remove(OpenMerges.Slot slot) {
    signal.monitor.lock();
    try {
      open.remove(slot);
    } finally {
      signal.monitor.unlock();
    }
  }

  private void endTurn(OpenMerges.Slot slot, long transferredBytes, StepResult result) {
    signal.monitor.lock();
    try {
      busyWorkers--;
      open.giveBack(slot, transferredBytes);
      if (result == StepResult.DONE) {
        open.remove(slot);
        quarantine.succeeded(slot.plan());
        rest.clear();
        failedTrees.clear();
        signal.changed();
      } else {
        signal.wakeAll();
      }
    } finally {
      signal.monitor.unlock();
    }
  }

  /** Whether it concerns the components that were read; any other fault concerns all merges. */
  private static boolean isDamage(StorageException fault) {
    return fault instanceof CorruptionException || fault instanceof UnsupportedFormatException;
  }

  private long rest(OpenMerges.Slot slot, boolean isDamage) {
    signal.monitor.lock();
    try {
      busyWorkers--;
      signal.changed();
      long now = signal.nowNanos();
      if (isDamage) {
        return quarantine.begin(slot.plan(), now);
      }
      noteFailed(slot.plan().treeId());
      return rest.begin(now);
    } finally {
      signal.monitor.unlock();
    }
  }

  /** A tree that fails again has had its turn: those that failed after it have theirs now. */
  @GuardedBy("signal.monitor")
  private void noteFailed(int treeId) {
    if (!failedTrees.add(treeId)) {
      failedTrees.clear();
      failedTrees.add(treeId);
    }
  }
}
