package org.loam.it.crash;

/** What happened in simulated crashes; added up over runs. */
final class CrashTotals {
  long runs;
  long crashes;
  long crashesInRecovery;
  long operations;
  long acknowledged;
  long flushes;
  long merges;
  long livesWithMove;
  long loads;
  long runsWithFlush;
  long runsWithMerge;
  long faultsPlanned;
  long faultsFired;
  long fullDisks;
  long excused;
  long queries;
  long multiGets;
  long indexChanges;
  long indexChangesCrashed;

  synchronized void add(CrashTotals other) {
    runs += other.runs;
    crashes += other.crashes;
    crashesInRecovery += other.crashesInRecovery;
    operations += other.operations;
    acknowledged += other.acknowledged;
    flushes += other.flushes;
    merges += other.merges;
    livesWithMove += other.livesWithMove;
    loads += other.loads;
    runsWithFlush += other.flushes > 0 ? 1 : 0;
    runsWithMerge += other.merges > 0 ? 1 : 0;
    faultsPlanned += other.faultsPlanned;
    faultsFired += other.faultsFired;
    fullDisks += other.fullDisks;
    excused += other.excused;
    queries += other.queries;
    multiGets += other.multiGets;
    indexChanges += other.indexChanges;
    indexChangesCrashed += other.indexChangesCrashed;
  }

  /** What datasets had to bear beside it. */
  String ofDatasets() {
    return String.format(
        "queries %d, reads of many keys %d, indexes created or dropped %d, crashes in the middle of"
            + " creating or dropping an index or dataset %d",
        queries, multiGets, indexChanges, indexChangesCrashed);
  }

  @Override
  public String toString() {
    return String.format(
        "seeds %d, crashes %d (%d in recovery), operations %d, acknowledged batches %d,"
            + " flushes %d (in %d seeds), merges %d (in %d seeds), memory moved in %d lives,"
            + " bulk loads %d,"
            + " faults planned %d, fired %d, full disks %d,"
            + " operations that failed for these %d, lost 0",
        runs,
        crashes,
        crashesInRecovery,
        operations,
        acknowledged,
        flushes,
        runsWithFlush,
        merges,
        runsWithMerge,
        livesWithMove,
        loads,
        faultsPlanned,
        faultsFired,
        fullDisks,
        excused);
  }
}
