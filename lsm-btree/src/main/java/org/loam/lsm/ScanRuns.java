package org.loam.lsm;

import org.jspecify.annotations.Nullable;
import org.loam.common.mem.Epochs;
import org.loam.lsm.disk.Reach;
import org.loam.lsm.disk.SSTable;
import org.loam.lsm.disk.Way;
import org.loam.lsm.version.DiskVersion;
import org.loam.lsm.version.SortedRun;

/**
 * The runs in the batches of a scan. From batch to batch it keeps its place in each of them as long
 * as the tree has the same disk part; otherwise it seeks again. Between two batches it pins
 * nothing, and does not look at tables. One thread.
 */
final class ScanRuns {
  private static final RunInput[] NONE = {};

  /** What is read ahead of a long scan: as much as two requests bring. */
  private static final int AHEAD_BYTES = 8 * ScanProgress.MAX_BATCH_BYTES;

  /** By how much more than the mean a run is expected to give, in standard deviations. */
  private static final double DEVIATIONS = 1.5;

  private final LsmTree tree;
  private final ScanProgress scan;

  /** The disk part in which the inputs have their places; null if they have none. */
  private @Nullable DiskVersion disk;

  private RunInput[] inputs = NONE;

  ScanRuns(LsmTree tree, ScanProgress scan) {
    this.tree = tree;
    this.scan = scan;
  }

  /**
   * Goes to where the scan goes on; inside the file epoch, which {@link #pause} or {@link #forget}
   * must precede the end of. The oldest run goes there first: it has most of the entries, and the
   * others can learn from it how far they have to go.
   *
   * @param now the disk part of the tree, read inside this file epoch
   * @param workspace has the key from which the scan goes on, if there is one
   * @return newest first
   */
  RunInput[] begin(DiskVersion now, Way way, Workspace workspace) {
    boolean isKept = now == disk;
    if (!isKept) {
      forget();
      RunInput[] made = new RunInput[now.runCount()];
      for (int i = 0; i < made.length; i++) {
        made[i] = new RunInput(now.run(i), scan);
      }
      inputs = made;
      disk = now;
    }
    byte[] start = scan.start();
    for (int i = inputs.length - 1; i >= 0; i--) {
      Reach reach = reach(now, now.run(i), way);
      if (isKept) {
        inputs[i].resume(reach);
      } else if (start == null) {
        inputs[i].first(reach);
      } else {
        inputs[i].seek(workspace.key(), start.length, reach);
      }
    }
    return inputs;
  }

  /** Keeps the places and lets go of everything else. */
  void pause() {
    for (RunInput input : inputs) {
      input.pause();
    }
  }

  /** Lets go of everything: the next batch seeks. */
  void forget() {
    for (RunInput input : inputs) {
      input.close();
    }
    inputs = NONE;
    disk = null;
  }

  /**
   * A run gives to a batch about the share that it has of the tree's entries, and is expected to
   * give somewhat more: a leaf too few costs a request, a leaf too many a twentieth of one. A run
   * with most of the entries leads the others.
   */
  private Reach reach(DiskVersion now, SortedRun run, Way way) {
    double expected = expectedEntries(now);
    double share = (double) run.entries() / now.entries();
    double likely = expected * share + DEVIATIONS * Math.sqrt(expected * share * (1 - share));
    double pages = (double) run.bytes() / run.entries() / tree.services().memory().pageBytes();
    // One more, since the first leaf is entered somewhere.
    int leaves = 1 + (int) Math.ceil(likely * pages);
    int behind = (int) Math.round(entriesBehind(now, expected) * share * pages);
    boolean isLeader = expected > 0 && share > 0.5 && share < 1;
    return new Reach(leaves, way, isLeader, behind, this::readAhead);
  }

  /** Entries of the next batch as far as a limit, an end or earlier batches promise them. */
  private double expectedEntries(DiskVersion now) {
    boolean isBounded = scan.range().limit() < Long.MAX_VALUE || scan.end() != null;
    boolean isGoingOn = scan.position() != null;
    return isBounded || isGoingOn
        ? Math.min((double) scan.left(), entriesIn(scan.batchBytes(), now))
        : 0;
  }

  /**
   * Entries behind those of the next batch that are to be read ahead: none before it is known, by
   * the limit or by what was shown, that the scan is a long one; none if pages go with their use,
   * since then each batch has to read the leaf that it begins in, and reads the others along with
   * it.
   */
  private double entriesBehind(DiskVersion now, double expected) {
    boolean isLong =
        scan.batchBytes() == ScanProgress.MAX_BATCH_BYTES && scan.range().intent().keeps();
    return isLong ? Math.min(scan.left() - expected, entriesIn(AHEAD_BYTES, now)) : 0;
  }

  /** About how many of the entries on disk so many bytes hold. */
  static double entriesIn(int bytes, DiskVersion disk) {
    return bytes * (double) disk.entries() / disk.bytes();
  }

  /** The read is inside the file epoch until it has ended, so that the table stays open. */
  private void readAhead(SSTable table, int pageNo, int lastPageNo) {
    Epochs epochs = tree.services().fileEpochs();
    int slot = epochs.enter();
    boolean begun = false;
    try {
      begun =
          tree.services()
              .backgroundReads()
              .begin(
                  () -> {
                    try {
                      table.readAhead(pageNo, lastPageNo);
                    } finally {
                      epochs.exit(slot);
                    }
                  });
    } finally {
      if (!begun) {
        epochs.exit(slot);
      }
    }
  }
}
