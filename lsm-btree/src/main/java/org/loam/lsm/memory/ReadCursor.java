package org.loam.lsm.memory;

import org.loam.lsm.read.EntryCursor;

/** Walks the versions visible at a read LSN, both ways, leaf by leaf, beside the writer. */
final class ReadCursor implements EntryCursor {
  private final RecordTree tree;
  private final long readLsn;
  private final LeafCopy leaf = new LeafCopy();

  /** The entry's index in the leaf. */
  private int index;

  /** The entry; 0 when at none. */
  private long record;

  ReadCursor(RecordTree tree, long readLsn) {
    this.tree = tree;
    this.readLsn = readLsn;
  }

  @Override
  public boolean first() {
    return load(RecordTree.Target.FIRST, 0, 0) && forward(0);
  }

  @Override
  public boolean last() {
    return load(RecordTree.Target.LAST, 0, 0) && backward(leaf.count() - 1);
  }

  @Override
  public boolean ceiling(long keyAddress, int keyLength) {
    return load(RecordTree.Target.AT, keyAddress, keyLength) && forward(leaf.position());
  }

  @Override
  public boolean lower(long keyAddress, int keyLength) {
    return load(RecordTree.Target.BEFORE, keyAddress, keyLength) && backward(leaf.position() - 1);
  }

  @Override
  public boolean next() {
    return record != 0 && forward(index + 1);
  }

  @Override
  public boolean previous() {
    return record != 0 && backward(index - 1);
  }

  private boolean load(RecordTree.Target target, long key, int keyLength) {
    record = 0;
    if (!tree.copyLeaf(target, key, keyLength, leaf)) {
      return false;
    }
    leaf.resolve(readLsn);
    return true;
  }

  private boolean forward(int from) {
    int at = from;
    while (true) {
      for (; at < leaf.count(); at++) {
        if (leaf.record(at) != 0) {
          return stop(at);
        }
      }
      long bound = leaf.high();
      if (bound == 0) {
        record = 0;
        return false;
      }
      load(RecordTree.Target.AT, MemoryRecord.keyAddress(bound), MemoryRecord.keyLength(bound));
      at = 0;
    }
  }

  private boolean backward(int from) {
    int at = from;
    while (true) {
      for (; at >= 0; at--) {
        if (leaf.record(at) != 0) {
          return stop(at);
        }
      }
      long bound = leaf.low();
      if (bound == 0) {
        record = 0;
        return false;
      }
      load(RecordTree.Target.BEFORE, MemoryRecord.keyAddress(bound), MemoryRecord.keyLength(bound));
      at = leaf.count() - 1;
    }
  }

  private boolean stop(int at) {
    index = at;
    record = leaf.record(at);
    return true;
  }

  long record() {
    return record;
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
