package org.loam.lsm.merge;

import java.util.function.Function;
import org.loam.lsm.disk.VersionCursor;
import org.loam.lsm.read.EntryChain;
import org.loam.lsm.version.LiveTable;
import org.loam.lsm.version.SortedRun;

/**
 * Every version of a sorted run, for a merge: one table after the other, each opened when it is
 * reached. One thread at a time.
 */
final class RunVersions extends EntryChain<VersionCursor> {
  private final SortedRun run;
  private final Function<LiveTable, VersionCursor> opener;

  /** The table at which it is, or before which. */
  private int index;

  /**
   * @param opener makes the cursor over one table; at most one is open at a time
   */
  RunVersions(SortedRun run, Function<LiveTable, VersionCursor> opener) {
    this.run = run;
    this.opener = opener;
  }

  @Override
  public boolean next() {
    VersionCursor cursor = current();
    if (cursor != null) {
      if (cursor.next()) {
        return true;
      }
      close();
      index++;
    }
    while (index < run.size()) {
      VersionCursor opened = opener.apply(run.table(index));
      enter(opened);
      if (opened.first()) {
        return true;
      }
      close();
      index++;
    }
    return false;
  }

  @Override
  protected void leave(VersionCursor cursor) {
    cursor.close();
  }
}
