package org.loam.lsm.memory;

import org.loam.lsm.read.EntryCursor;

/**
 * Walks, of each key, the newest version and the older ones that retention needs, newest first.
 * Only goes forward.
 */
final class VersionCursor implements EntryCursor {
  private final RecordTree tree;
  private final VersionRetention retention;
  private final LeafCopy leaf = new LeafCopy();

  /** The index of the entry's newest version in the leaf. */
  private int index;

  /** The entry; 0 when at none. */
  private long record;

  VersionCursor(RecordTree tree, VersionRetention retention) {
    this.tree = tree;
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
    throw new UnsupportedOperationException("a version cursor only goes forward");
  }

  @Override
  public boolean lower(long keyAddress, int keyLength) {
    throw new UnsupportedOperationException("a version cursor only goes forward");
  }

  @Override
  public boolean previous() {
    throw new UnsupportedOperationException("a version cursor only goes forward");
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

  private boolean load(RecordTree.Target target, long key, int keyLength) {
    record = 0;
    if (!tree.copyLeaf(target, key, keyLength, leaf)) {
      return false;
    }
    leaf.resolve(Long.MAX_VALUE);
    return true;
  }

  private boolean forward(int from) {
    int at = from;
    while (at >= leaf.count()) {
      long bound = leaf.high();
      if (bound == 0) {
        record = 0;
        return false;
      }
      load(RecordTree.Target.AT, MemoryRecord.keyAddress(bound), MemoryRecord.keyLength(bound));
      at = 0;
    }
    index = at;
    record = leaf.record(at);
    return true;
  }

  @Override
  public long keyAddress() {
    return MemoryRecord.keyAddress(record);
  }

  @Override
  public int keyLength() {
    return MemoryRecord.keyLength(record);
  }

  @Override
  public long lsn() {
    return MemoryRecord.lsn(record);
  }

  @Override
  public byte kind() {
    return MemoryRecord.kind(record);
  }

  @Override
  public int valueLength() {
    return MemoryRecord.valueLength(record);
  }

  @Override
  public void copyValue(int from, int length, long target) {
    MemoryRecord.copyValue(record, from, length, target);
  }

  @Override
  public long valueAddress() {
    return MemoryRecord.valueAddress(record);
  }

  @Override
  public void close() {
    record = 0;
    leaf.clear();
  }
}
