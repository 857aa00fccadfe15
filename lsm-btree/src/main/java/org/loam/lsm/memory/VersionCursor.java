package org.loam.lsm.memory;

/**
 * Walks, of each key, the newest version and the older ones that retention needs, newest first.
 * Only goes forward.
 */
final class VersionCursor extends RecordCursor {
  private final VersionRetention retention;

  VersionCursor(RecordTree tree, VersionRetention retention) {
    super(tree, Long.MAX_VALUE);
    this.retention = retention;
  }

  @Override
  public boolean first() {
    return load(RecordTree.Target.FIRST, 0, 0) && forward(0);
  }

  @Override
  public boolean ceiling(long keyAddress, int keyLength) {
    return load(RecordTree.Target.AT, keyAddress, keyLength) && forward(leaf.position());
  }

  @Override
  public boolean last() {
    throw onlyForward();
  }

  @Override
  public boolean lower(long keyAddress, int keyLength) {
    throw onlyForward();
  }

  @Override
  public boolean previous() {
    throw onlyForward();
  }

  private static UnsupportedOperationException onlyForward() {
    return new UnsupportedOperationException("a version cursor only goes forward");
  }

  @Override
  public boolean next() {
    if (record == 0) {
      return false;
    }
    long older = VersionChain.nextKept(record, retention);
    if (older != 0) {
      record = older;
      return true;
    }
    return forward(index + 1);
  }

  private boolean forward(int from) {
    int at = from;
    while (at >= leaf.count()) {
      if (!loadNext()) {
        return false;
      }
      at = 0;
    }
    index = at;
    record = leaf.record(at);
    return true;
  }
}
