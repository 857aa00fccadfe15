package org.loam.lsm.memory;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.EntryChain;

/**
 * Every version that is needed of runs that have no key in common, one run after the other. One
 * thread at a time.
 */
public final class VersionWalk extends EntryChain<VersionCursor> {
  private final Iterator<MemoryRun> rest;
  private final byte @Nullable [] end;
  private final VersionRetention retention;

  /**
   * A walk before its first entry.
   *
   * @param runs in the order of their keys; only the keys count that are theirs
   * @param end the walk ends before this key; null for the end of the last run
   */
  public VersionWalk(List<MemoryRun> runs, byte @Nullable [] end, VersionRetention retention) {
    this.rest = runs.iterator();
    this.end = end;
    this.retention = retention;
  }

  @Override
  public boolean next() {
    VersionCursor cursor = current();
    boolean found = cursor != null && cursor.next();
    while (!found && rest.hasNext()) {
      close();
      MemoryRun run = rest.next();
      cursor = new VersionCursor(run.component(), retention);
      enter(cursor);
      found = isAtFirst(cursor, run);
    }
    if (!found || cursor == null || isPastEnd(cursor)) {
      close();
      return false;
    }
    return true;
  }

  private static boolean isAtFirst(VersionCursor cursor, MemoryRun run) {
    byte[] low = run.keys().low();
    if (!run.isBegun() || low == null) {
      return cursor.first();
    }
    return cursor.ceiling(low);
  }

  private boolean isPastEnd(VersionCursor cursor) {
    return end != null
        && Mem.compare(end, 0, end.length, cursor.keyAddress(), cursor.keyLength()) <= 0;
  }

  /** The version in memory. */
  long record() {
    return at().record;
  }

  @Override
  protected void leave(VersionCursor cursor) {
    cursor.close();
  }
}
