package org.loam.lsm.version;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.loam.common.key.Heads;
import org.loam.lsm.read.EntryCursor;

/** The entries of a sorted run: one table after the other, each opened when it is reached. */
public final class RunCursor implements EntryCursor {
  private static final String NOT_AT_ENTRY = "the cursor is not at an entry";

  private final SortedRun run;
  private final Function<LiveTable, EntryCursor> opener;
  private int index;
  private @Nullable EntryCursor current;

  /**
   * @param opener makes the cursor over one table; at most one is open at a time
   */
  public RunCursor(SortedRun run, Function<LiveTable, EntryCursor> opener) {
    this.run = run;
    this.opener = opener;
  }

  @Override
  public boolean first() {
    open(0);
    return current != null && (current.first() || nextTable());
  }

  @Override
  public boolean last() {
    open(run.size() - 1);
    return current != null && (current.last() || previousTable());
  }

  @Override
  public boolean ceiling(long keyAddress, int keyLength) {
    open(run.firstReaching(keyAddress, keyLength, Heads.of(keyAddress, keyLength)));
    return current != null && (current.ceiling(keyAddress, keyLength) || nextTable());
  }

  @Override
  public boolean lower(long keyAddress, int keyLength) {
    int at = run.firstReaching(keyAddress, keyLength, Heads.of(keyAddress, keyLength));
    open(Math.min(at, run.size() - 1));
    return current != null && (current.lower(keyAddress, keyLength) || previousTable());
  }

  @Override
  public boolean next() {
    return at().next() || nextTable();
  }

  @Override
  public boolean previous() {
    return at().previous() || previousTable();
  }

  /** A table may have no entry that is visible, so the search goes on. */
  private boolean nextTable() {
    while (current != null) {
      open(index + 1);
      if (current != null && current.first()) {
        return true;
      }
    }
    return false;
  }

  private boolean previousTable() {
    while (current != null) {
      open(index - 1);
      if (current != null && current.last()) {
        return true;
      }
    }
    return false;
  }

  private void open(int at) {
    if (current != null && at == index) {
      return;
    }
    close();
    index = at;
    if (at >= 0 && at < run.size()) {
      current = opener.apply(run.table(at));
    }
  }

  private EntryCursor at() {
    if (current == null) {
      throw new IllegalStateException(NOT_AT_ENTRY);
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
