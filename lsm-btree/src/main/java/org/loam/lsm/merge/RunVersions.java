package org.loam.lsm.merge;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.loam.lsm.disk.VersionCursor;
import org.loam.lsm.read.Entry;
import org.loam.lsm.read.EntryWalk;
import org.loam.lsm.version.LiveTable;
import org.loam.lsm.version.SortedRun;

/**
 * Every version of a sorted run, for a merge: one table after the other, each opened when it is
 * reached. One thread at a time.
 */
final class RunVersions implements EntryWalk, Entry {
  private final SortedRun run;
  private final Function<LiveTable, VersionCursor> opener;

  /** The table at which it is, or before which. */
  private int index;

  private @Nullable VersionCursor current;

  /**
   * @param opener makes the cursor over one table; at most one is open at a time
   */
  RunVersions(SortedRun run, Function<LiveTable, VersionCursor> opener) {
    this.run = run;
    this.opener = opener;
  }

  @Override
  public boolean next() {
    if (current != null) {
      if (current.next()) {
        return true;
      }
      close();
      index++;
    }
    while (index < run.size()) {
      current = opener.apply(run.table(index));
      if (current.first()) {
        return true;
      }
      close();
      index++;
    }
    return false;
  }

  @Override
  public boolean isAtEntry() {
    return current != null;
  }

  private VersionCursor at() {
    if (current == null) {
      throw new IllegalStateException("the cursor is not at an entry");
    }
    return current;
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
  public long lsn() {
    return at().lsn();
  }

  @Override
  public byte kind() {
    return at().kind();
  }

  @Override
  public int valueLength() {
    return at().valueLength();
  }

  @Override
  public void copyValue(int offset, int length, long target) {
    at().copyValue(offset, length, target);
  }

  @Override
  public long valueAddress() {
    return at().valueAddress();
  }

  @Override
  public boolean isWarm() {
    return at().isWarm();
  }

  @Override
  public void close() {
    if (current != null) {
      current.close();
      current = null;
    }
  }
}
