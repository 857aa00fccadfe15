package org.loam.lsm.memory;

import org.loam.lsm.read.EntryCursor;

/** Walks the versions visible at a read LSN, both ways, leaf by leaf, beside the writer. */
final class ReadCursor extends RecordCursor implements EntryCursor {
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
}
