package org.loam.lsm.read;

import org.jspecify.annotations.Nullable;

/**
 * A walk through the entries of several cursors, one cursor after the other. One thread at a time.
 *
 * @param <C> shows entries
 */
public abstract class EntryChain<C extends Entry> implements EntryWalk, Entry {
  private @Nullable C current;

  /** The cursor at whose entry the walk is; null if it is at none. */
  protected final @Nullable C current() {
    return current;
  }

  /** Goes on with another cursor; the one before was left. */
  protected final void enter(C next) {
    current = next;
  }

  /** Ends the use of a cursor. */
  protected abstract void leave(C cursor);

  /** The cursor at whose entry the walk is. */
  protected final C at() {
    C cursor = current;
    if (cursor == null) {
      throw new IllegalStateException("the walk is at no entry");
    }
    return cursor;
  }

  @Override
  public final boolean isAtEntry() {
    return current != null;
  }

  @Override
  public final long keyAddress() {
    return at().keyAddress();
  }

  @Override
  public final int keyLength() {
    return at().keyLength();
  }

  @Override
  public final long lsn() {
    return at().lsn();
  }

  @Override
  public final byte kind() {
    return at().kind();
  }

  @Override
  public final int valueLength() {
    return at().valueLength();
  }

  @Override
  public final void copyValue(int offset, int length, long target) {
    at().copyValue(offset, length, target);
  }

  @Override
  public final long valueAddress() {
    return at().valueAddress();
  }

  @Override
  public final boolean isWarm() {
    return at().isWarm();
  }

  @Override
  public final void close() {
    C cursor = current;
    if (cursor != null) {
      current = null;
      leave(cursor);
    }
  }
}
