package org.loam.lsm;

import org.jspecify.annotations.Nullable;
import org.loam.common.key.Heads;
import org.loam.lsm.disk.LeafCursor;
import org.loam.lsm.disk.Reach;
import org.loam.lsm.disk.SSTable;
import org.loam.lsm.read.EntryWalk;
import org.loam.lsm.version.SortedRun;

/**
 * The entries of a sorted run that a scan sees: one table after the other, each opened when it is
 * reached. To be used inside the file epoch; {@link #pause} before its end lets go of everything
 * but the place.
 */
final class RunInput implements ScanInput {
  private final SortedRun run;
  private final ScanProgress scan;
  private final boolean forward;
  private Reach reach = Reach.UNKNOWN;
  private int index;

  /** The cursor over the table at the index; null before the first, past the last. */
  private @Nullable LeafCursor current;

  RunInput(SortedRun run, ScanProgress scan) {
    this.run = run;
    this.scan = scan;
    this.forward = scan.range().forward();
  }

  /** Moves to the first entry of the run, in the direction of the scan. */
  void first(Reach expected) {
    reach = expected;
    index = forward ? -1 : run.size();
    nextTable();
  }

  /** Moves to the first entry from a key on: at or after it forward, before it backward. */
  void seek(long key, int keyLength, Reach expected) {
    reach = expected;
    int reaching = run.firstReaching(key, keyLength, Heads.of(key, keyLength));
    index = forward ? reaching : Math.min(reaching, run.size() - 1);
    LeafCursor cursor = open();
    if (cursor == null) {
      nextTable();
      return;
    }
    boolean found = forward ? cursor.ceiling(key, keyLength) : cursor.lower(key, keyLength);
    if (!found) {
      nextTable();
    }
  }

  /** Goes back to the entry at which it was paused, if it was at one. */
  void resume(Reach expected) {
    reach = expected;
    if (current != null) {
      current.resume(expected, forward);
    }
  }

  /** Lets go of pages and memory, but not of the place. */
  void pause() {
    if (current != null) {
      current.pause();
    }
  }

  @Override
  public boolean next() {
    LeafCursor cursor = at();
    return (forward ? cursor.next() : cursor.previous()) || nextTable();
  }

  /** Goes on to the next table that has an entry to show. */
  private boolean nextTable() {
    do {
      close();
      index += forward ? 1 : -1;
      LeafCursor cursor = open();
      if (cursor != null && (forward ? cursor.first() : cursor.last())) {
        return true;
      }
    } while (index >= 0 && index < run.size());
    close();
    return false;
  }

  /** Opens the table at the index; null if there is none, or nothing of it is visible. */
  private @Nullable LeafCursor open() {
    if (index < 0 || index >= run.size()) {
      return null;
    }
    SSTable table = run.table(index).table();
    if (!table.isVisibleAt(scan.readLsn())) {
      return null;
    }
    current = table.cursor(scan.readLsn(), scan.range().intent(), reach);
    return current;
  }

  private LeafCursor at() {
    if (current == null) {
      throw new IllegalStateException("the scan is not at an entry of the run");
    }
    return current;
  }

  @Override
  public boolean isAtEntry() {
    return current != null;
  }

  @Override
  public long keyAddress() {
    return at().keyAddress();
  }

  @Override
  public int keyLength() {
    return at().keyLength();
  }

  @Override
  public byte kind() {
    return at().kind();
  }

  @Override
  public boolean isInMemory() {
    return false;
  }

  @Override
  public void addTo(ScanBatch batch) {
    batch.add(at());
  }

  /** The rows are in one leaf, where their values lie side by side. */
  @Override
  public boolean addStreakTo(ScanBatch batch, @Nullable EntryWalk others) {
    LeafCursor leaf = at();
    if (leaf.valueAddress() == 0) {
      addTo(batch);
      return true;
    }
    long bound = others == null ? 0 : others.keyAddress();
    int boundLength = others == null ? 0 : others.keyLength();
    long limitRows = scan.left();
    int limitBytes = scan.batchBytes();
    int firstRow = batch.count();
    long firstValue = leaf.valueAddress();
    boolean isInside = true;
    do {
      batch.addKey(leaf, firstValue);
      if (batch.count() == limitRows
          || batch.isFull(limitBytes)
          || !leaf.step(forward, bound, boundLength)) {
        break;
      }
      isInside = !scan.isPastEnd(leaf.keyAddress(), leaf.keyLength());
    } while (isInside);
    batch.addValues(firstRow, firstValue);
    return isInside;
  }

  @Override
  public void close() {
    if (current != null) {
      current.close();
      current = null;
    }
  }
}
