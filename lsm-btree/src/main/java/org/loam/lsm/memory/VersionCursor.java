package org.loam.lsm.memory;

/**
 * Walks, of each key, the newest version and the older ones that retention needs, newest first.
 * Only goes forward.
 */
public final class VersionCursor extends RecordCursor {
  private final VersionRetention retention;

  /** A cursor over a component that takes no more writes; not at an entry yet. */
  public VersionCursor(MemoryComponent component, VersionRetention retention) {
    super(component.tree(), Long.MAX_VALUE);
    this.retention = retention;
  }

  /** Moves to the first entry; false if there is none. */
  public boolean first() {
    return load(RecordTree.Target.FIRST, 0, 0) && forward(0);
  }

  /** Moves to the first entry with a key at or after the given one; false if there is none. */
  public boolean ceiling(byte[] key) {
    return load(key) && forward(leaf.position());
  }

  /** Moves on; false, and no longer at an entry, past the end. */
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
