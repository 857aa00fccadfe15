package org.loam.lsm.memory;

import org.loam.common.mem.Mem;
import org.loam.lsm.read.Entry;

/** What cursors over records in memory have in common: the leaf they copied, and their entry. */
abstract class RecordCursor implements Entry, AutoCloseable {
  private final RecordTree tree;
  private final long readLsn;
  final LeafCopy leaf = new LeafCopy();
  private final MemoryRecord.ValueReader values = new MemoryRecord.ValueReader();

  /** The index in the leaf of the entry's newest version at or below the read LSN. */
  int index;

  /** The entry; 0 when at none. */
  long record;

  RecordCursor(RecordTree tree, long readLsn) {
    this.tree = tree;
    this.readLsn = readLsn;
  }

  /** Copies a leaf; at no entry then. False if there is none. */
  final boolean load(RecordTree.Target target, long key, int keyLength) {
    record = 0;
    if (!tree.copyLeaf(target, key, keyLength, leaf)) {
      return false;
    }
    leaf.resolve(readLsn);
    return true;
  }

  /** Copies the leaf where a key belongs; at no entry then. False if there is none. */
  final boolean load(byte[] key) {
    long address = Mem.allocate(Math.max(1, key.length), Long.BYTES);
    try {
      Mem.copyIn(key, 0, address, key.length);
      return load(RecordTree.Target.AT, address, key.length);
    } finally {
      Mem.free(address);
    }
  }

  /** Copies the leaf after this one; false, and at no entry, if it is the last. */
  final boolean loadNext() {
    long bound = leaf.high();
    record = 0;
    return bound != 0
        && load(
            RecordTree.Target.AT, MemoryRecord.keyAddress(bound), MemoryRecord.keyLength(bound));
  }

  /** Copies the leaf before this one; false, and at no entry, if it is the first. */
  final boolean loadPrevious() {
    long bound = leaf.low();
    record = 0;
    return bound != 0
        && load(
            RecordTree.Target.BEFORE,
            MemoryRecord.keyAddress(bound),
            MemoryRecord.keyLength(bound));
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
    values.copyValue(record, from, length, target);
  }

  @Override
  public long valueAddress() {
    return MemoryRecord.valueAddress(record);
  }

  @Override
  public boolean isWarm() {
    return MemoryRecord.isWarm(record);
  }

  @Override
  public void close() {
    record = 0;
    leaf.clear();
  }
}
