package org.loam.lsm.disk;

import org.loam.lsm.read.EntryCursor;

/** The cursor over a file of which a reader sees nothing. Has no state. */
final class EmptyCursor implements EntryCursor {
  static final EmptyCursor INSTANCE = new EmptyCursor();

  private EmptyCursor() {}

  @Override
  public boolean first() {
    return false;
  }

  @Override
  public boolean last() {
    return false;
  }

  @Override
  public boolean ceiling(long keyAddress, int keyLength) {
    return false;
  }

  @Override
  public boolean lower(long keyAddress, int keyLength) {
    return false;
  }

  @Override
  public boolean next() {
    return false;
  }

  @Override
  public boolean previous() {
    return false;
  }

  @Override
  public long keyAddress() {
    throw notAtEntry();
  }

  @Override
  public int keyLength() {
    throw notAtEntry();
  }

  @Override
  public long lsn() {
    throw notAtEntry();
  }

  @Override
  public byte kind() {
    throw notAtEntry();
  }

  @Override
  public int valueLength() {
    throw notAtEntry();
  }

  @Override
  public long valueAddress() {
    throw notAtEntry();
  }

  private static IllegalStateException notAtEntry() {
    return new IllegalStateException("the cursor is not at an entry");
  }

  @Override
  public void close() {}
}
