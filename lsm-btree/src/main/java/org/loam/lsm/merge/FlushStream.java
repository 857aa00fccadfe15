package org.loam.lsm.merge;

import java.util.Iterator;
import java.util.List;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryRun;
import org.loam.lsm.memory.VersionCursor;
import org.loam.lsm.memory.VersionRetention;
import org.loam.lsm.memory.VersionWalk;
import org.loam.lsm.read.Entry;
import org.loam.lsm.read.MergingCursor;

/**
 * Every version that is still needed of frozen memory, one piece after the other; the runs of a
 * piece are merged.
 */
final class FlushStream implements EntryStream {
  private final Iterator<List<MemoryRun>> rest;
  private final VersionRetention retention;
  private final boolean keepLsns;
  private EntryStream piece;
  private long consumedBytes;

  /**
   * A stream before its first entry.
   *
   * @param pieces at least one, in the order of their keys
   * @param keepLsns whether a read LSN lies among the LSNs of all of them
   */
  FlushStream(List<List<MemoryRun>> pieces, VersionRetention retention, boolean keepLsns) {
    this.rest = pieces.iterator();
    this.retention = retention;
    this.keepLsns = keepLsns;
    this.piece = open(rest.next());
  }

  private EntryStream open(List<MemoryRun> runs) {
    if (runs.size() == 1 && !runs.get(0).isBegun()) {
      return new Component(runs.get(0).component(), retention);
    }
    VersionWalk[] walks =
        runs.stream()
            .map(run -> new VersionWalk(List.of(run), null, retention))
            .toArray(VersionWalk[]::new);
    return new MergeStream<>(new MergingCursor<>(walks, true), retention, keepLsns, false);
  }

  @Override
  public Next next() {
    Next found = piece.next();
    if (found != Next.END || !rest.hasNext()) {
      return found;
    }
    consumedBytes += piece.consumedBytes();
    piece.close();
    piece = open(rest.next());
    return Next.NOTHING_YET;
  }

  @Override
  public Entry entry() {
    return piece.entry();
  }

  @Override
  public boolean isNewKey() {
    return piece.isNewKey();
  }

  @Override
  public long consumedBytes() {
    return consumedBytes + piece.consumedBytes();
  }

  @Override
  public void close() {
    piece.close();
  }

  /** All of one component. */
  private static final class Component implements EntryStream {
    private final VersionCursor versions;
    private final LastKey lastKey = new LastKey();
    private boolean started;
    private boolean newKey;
    private long consumedBytes;

    Component(MemoryComponent component, VersionRetention retention) {
      this.versions = new VersionCursor(component, retention);
    }

    @Override
    public Next next() {
      boolean found = started ? versions.next() : versions.first();
      started = true;
      if (!found) {
        return Next.END;
      }
      newKey = lastKey.update(versions);
      consumedBytes += LastKey.sizeBytes(versions);
      return Next.ENTRY;
    }

    @Override
    public Entry entry() {
      return versions;
    }

    @Override
    public boolean isNewKey() {
      return newKey;
    }

    @Override
    public long consumedBytes() {
      return consumedBytes;
    }

    @Override
    public void close() {
      versions.close();
    }
  }
}
