package org.loam.lsm.memory;

import org.loam.common.mem.Mem;
import org.loam.lsm.read.EntryCursor;

/** Walks the versions visible at a read LSN, both ways, leaf by leaf, beside the writer. */
class ReadCursor extends RecordCursor implements EntryCursor {
  ReadCursor(RecordTree tree, long readLsn) {
    super(tree, readLsn);
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

  /** Moves to the first entry with a key at or after the given one; false if there is none. */
  final boolean ceiling(byte[] key) {
    return load(key) && forward(leaf.position());
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

  private boolean forward(int from) {
    int at = from;
    while (true) {
      for (; at < leaf.count(); at++) {
        if (leaf.record(at) != 0) {
          return stop(at);
        }
      }
      if (!loadNext()) {
        return false;
      }
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
      if (!loadPrevious()) {
        return false;
      }
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

  /** Walks what is left of a run: the keys from a low one on. */
  static final class Rest extends ReadCursor {
    private final byte[] low;

    Rest(RecordTree tree, long readLsn, byte[] low) {
      super(tree, readLsn);
      this.low = low;
    }

    /** Whether a key is not left in a run, but below the low one. */
    static boolean isBelow(byte[] low, long key, int keyLength) {
      return Mem.compare(low, 0, low.length, key, keyLength) > 0;
    }

    @Override
    public boolean first() {
      return ceiling(low);
    }

    @Override
    public boolean last() {
      return super.last() && isLeft();
    }

    @Override
    public boolean ceiling(long key, int keyLength) {
      return isBelow(low, key, keyLength) ? first() : super.ceiling(key, keyLength);
    }

    @Override
    public boolean lower(long key, int keyLength) {
      return super.lower(key, keyLength) && isLeft();
    }

    @Override
    public boolean previous() {
      return super.previous() && isLeft();
    }

    /** Whether the entry is left; at no entry if it is not. */
    private boolean isLeft() {
      if (isBelow(low, keyAddress(), keyLength())) {
        record = 0;
      }
      return record != 0;
    }
  }
}
