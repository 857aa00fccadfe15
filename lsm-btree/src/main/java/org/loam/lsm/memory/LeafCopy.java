package org.loam.lsm.memory;

/**
 * The references of one leaf, copied at one moment: what a cursor walks between two descents. Used
 * by one thread.
 */
final class LeafCopy {
  private final long[] records = new long[Node.CAPACITY];
  private int count;
  private int position;
  private long low;
  private long high;

  /** It is never read, but the compiler would leave out a load whose result goes nowhere. */
  @SuppressWarnings("UnusedVariable")
  private long loaded;

  /** Copies; worth something only if the leaf proves unchanged afterwards. */
  void take(long leaf, int position) {
    this.count = Node.count(leaf);
    for (int i = 0; i < count; i++) {
      records[i] = Node.ref(leaf, i);
    }
    this.low = Node.low(leaf);
    this.high = Node.high(leaf);
    this.position = position;
  }

  /**
   * Replaces each newest version by the one visible at the read LSN, 0 if none is. All at once: the
   * loads of a leaf's records do not wait for each other.
   *
   * @throws AssertionError if a version in need was dropped: the read LSN was not registered
   */
  void resolve(long readLsn) {
    for (int i = 0; i < count; i++) {
      long record = records[i];
      if (MemoryRecord.lsn(record) > readLsn) {
        records[i] = older(record, readLsn);
      }
      if (records[i] != 0) {
        loaded += MemoryRecord.loadRest(records[i]);
      }
    }
  }

  private static long older(long record, long readLsn) {
    long version = VersionChain.find(record, readLsn);
    if (version == VersionChain.DROPPED) {
      throw new AssertionError("scan at LSN " + readLsn + ", which is not registered: too late");
    }
    return version == VersionChain.NOT_VISIBLE ? 0 : version;
  }

  void clear() {
    count = 0;
    low = 0;
    high = 0;
    position = 0;
  }

  int count() {
    return count;
  }

  long record(int index) {
    return records[index];
  }

  /** The first entry whose key is at or after the one that was looked for. */
  int position() {
    return position;
  }

  void setPosition(int position) {
    this.position = position;
  }

  /** The record whose key begins the leaf; 0 for the first leaf. */
  long low() {
    return low;
  }

  /** The record whose key begins the next leaf; 0 for the last leaf. */
  long high() {
    return high;
  }
}
