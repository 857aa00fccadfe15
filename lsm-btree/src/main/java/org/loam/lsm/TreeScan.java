package org.loam.lsm;

import org.jspecify.annotations.Nullable;
import org.loam.cache.ReadIntent;
import org.loam.common.error.ClosedException;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Mem;
import org.loam.lsm.disk.Way;
import org.loam.lsm.read.MergingCursor;
import org.loam.lsm.version.DiskVersion;

/**
 * The entries of a key range as of one read LSN, in one direction. Entries are fetched in batches;
 * between two of them it pins and locks nothing but its read LSN, so that it delays neither flushes
 * nor merges however long it is open. One thread at a time.
 *
 * <p>A row is copied once into the batch, and from there to its user: from write memory inside the
 * memory epoch ({@link ScanMemory}), from a leaf when it is its turn ({@link ScanRuns}).
 */
public final class TreeScan {
  /**
   * What to scan.
   *
   * @param from first key, or null for the first of all
   * @param to key after the last, or null
   * @param forward ascending or descending
   * @param intent what pages are read for
   * @param limit most entries
   * @param antiMatter whether anti-matter that is in memory is shown, too
   */
  @SuppressWarnings("ArrayRecordComponent") // ranges are not compared
  public record Range(
      byte @Nullable [] from,
      byte @Nullable [] to,
      boolean forward,
      ReadIntent intent,
      long limit,
      boolean antiMatter) {
    /** Without anti-matter. */
    public Range(
        byte @Nullable [] from,
        byte @Nullable [] to,
        boolean forward,
        ReadIntent intent,
        long limit) {
      this(from, to, forward, intent, limit, false);
    }
  }

  /**
   * The most bytes of the end of a range that bound what is read ahead, which is all that they are
   * for: a longer one is cut.
   */
  private static final int END_BYTES = 1 << 10;

  /** The part of the scratch memory that is for the keys of runs, which are usually short. */
  private static final int RUN_KEYS_SHARE = 8;

  /** With so many rows a streak has paid for the search of its end. */
  private static final int LONG_STREAK_ROWS = 4;

  private static final int MAX_NEEDED_IN_ROW = 8;

  /**
   * Entries that are no rows, deleted ones above all, after which a batch ends, however few rows it
   * has: as many as a batch of the most bytes has of 32 bytes each. What a batch prepares, copies
   * of write memory and a window of leaves, is meant for about so many, and they take far longer
   * than to begin a batch.
   */
  static final int MAX_PASSED = ScanProgress.MAX_BATCH_BYTES / 32;

  private final LsmTree tree;
  private final ScanProgress progress;
  private final ScanBatch batch;
  private final ScanMemory memory;
  private final ScanRuns runs;
  private boolean exhausted;

  /** How often the source of the last row has come in a row before it. */
  private int inRow;

  /** How often it must have come for a streak to be likely. */
  private int neededInRow = 1;

  /**
   * A scan before its first entry.
   *
   * @param readLsn registered until the scan is not used any more
   * @param batch an empty one, lent for as long
   */
  public TreeScan(LsmTree tree, Range range, long readLsn, ScanBatch batch) {
    this.tree = tree;
    this.batch = batch;
    this.progress = new ScanProgress(range, readLsn);
    this.memory = new ScanMemory(tree, progress, batch);
    this.runs = new ScanRuns(tree, progress);
    this.exhausted = range.limit() == 0;
  }

  /** Moves on among the entries at hand; false if {@link #fetch} has to bring others. */
  public boolean nextFetched() {
    return batch.next();
  }

  /**
   * Fetches the next batch, in place of the one that was moved through. It may have no entry, since
   * it ends after some that are not shown: so that the caller can look, between two batches,
   * whether the scan is still to go on.
   *
   * @param workspace scratch memory, used during the call only
   * @return false past the end
   * @throws ClosedException if the tree was dropped
   */
  public boolean fetch(Workspace workspace) {
    if (exhausted) {
      return false;
    }
    fill(workspace);
    return true;
  }

  /** The entries at hand; {@link #nextFetched} moves through them. */
  public ScanBatch batch() {
    return batch;
  }

  private void fill(Workspace workspace) {
    tree.noteScan();
    batch.clear();
    boolean filled = false;
    TreeServices services = tree.services();
    int fileSlot = services.fileEpochs().enter();
    try {
      byte[] start = progress.start();
      if (start != null) {
        workspace.putKey(start);
      }
      long scratch = workspace.scratch();
      Way way = newWay(scratch, workspace.scratchBytes() / RUN_KEYS_SHARE);
      int used = END_BYTES + Way.LEAD_BYTES + workspace.scratchBytes() / RUN_KEYS_SHARE;
      DiskVersion disk =
          memory.copy(
              workspace, new MemoryInput.Scratch(scratch + used, workspace.scratchBytes() - used));
      RunInput[] onDisk = runs.begin(disk, way, workspace);
      // It owns no input: memory and runs close theirs.
      MergingCursor<ScanInput> merged =
          new MergingCursor<>(inputs(memory.inputs(), onDisk), progress.range().forward());
      collect(merged);
      requireOpen();
      filled = true;
    } finally {
      try {
        letGo(filled);
      } finally {
        services.fileEpochs().exit(fileSlot);
      }
    }
    if (!exhausted) {
      progress.batchDone(batch.count(), batch.lastKey());
    }
  }

  /** After a failure the next attempt begins behind the last batch, with the same entries. */
  private void letGo(boolean filled) {
    memory.close();
    if (filled && !exhausted) {
      runs.pause();
    } else {
      runs.forget();
    }
    if (!filled) {
      exhausted = false;
      batch.clear();
    }
  }

  private Way newWay(long scratch, int keyBytes) {
    byte[] end = progress.end();
    int endLength = 0;
    if (end != null) {
      endLength = Math.min(end.length, END_BYTES);
      Mem.copyIn(end, 0, scratch, endLength);
    }
    Way way = new Way(endLength == 0 ? 0 : scratch, endLength, scratch + END_BYTES);
    way.lendKeyMemory(scratch + END_BYTES + Way.LEAD_BYTES, keyBytes);
    return way;
  }

  /** Memory first, since it is newer. */
  private static ScanInput[] inputs(MemoryInput[] inMemory, RunInput[] onDisk) {
    ScanInput[] inputs = new ScanInput[inMemory.length + onDisk.length];
    System.arraycopy(inMemory, 0, inputs, 0, inMemory.length);
    System.arraycopy(onDisk, 0, inputs, inMemory.length, onDisk.length);
    return inputs;
  }

  private void collect(MergingCursor<ScanInput> merged) {
    boolean showsAntiMatter = progress.range().antiMatter();
    int limitBytes = progress.batchBytes();
    long limitRows = progress.left();
    int lastSource = -1;
    int passed = 0;
    if (progress.position() != null) {
      batch.passOver(progress.position());
    }
    boolean go = merged.start();
    while (go) {
      ScanInput entry = merged.current();
      boolean isAgain = merged.currentIndex() == lastSource;
      // A source shows each key once.
      if (!isAgain && batch.hasLastKey(entry)) {
        passed++;
      } else {
        if (progress.isPastEnd(entry.keyAddress(), entry.keyLength())) {
          exhausted = true;
          return;
        }
        if (batch.isFull(limitBytes)) {
          return;
        }
        lastSource = merged.currentIndex();
        if (entry.kind() == EntryKind.PUT || (showsAntiMatter && entry.isInMemory())) {
          inRow = isAgain ? inRow + 1 : 0;
          if (!addTo(batch, entry, merged) || batch.count() == limitRows) {
            exhausted = true;
            return;
          }
        } else {
          batch.passOver(entry);
          passed++;
        }
      }
      go = merged.advance();
      if (memory.isCutShort() || passed >= MAX_PASSED) {
        return;
      }
    }
    exhausted = true;
  }

  /**
   * Makes the entry of a source the next row, with those behind it if a streak is likely: as long
   * as streaks turn out short, a source has to come more often in a row before it is asked for one.
   */
  private boolean addTo(ScanBatch rows, ScanInput entry, MergingCursor<ScanInput> merged) {
    if (merged.isOneLeft()) {
      return entry.addStreakTo(rows, null);
    }
    if (inRow < neededInRow) {
      entry.addTo(rows);
      return true;
    }
    int before = rows.count();
    boolean isInside = entry.addStreakTo(rows, merged.second());
    neededInRow =
        rows.count() - before < LONG_STREAK_ROWS ? Math.min(neededInRow + 1, MAX_NEEDED_IN_ROW) : 1;
    return isInside;
  }

  /** A dropped tree looks empty, which must not pass for the end of the range. */
  private void requireOpen() {
    if (tree.isDropped()) {
      throw new ClosedException("tree '" + tree.name() + "' was dropped");
    }
  }
}
