package org.loam.lsm.merge;

import org.loam.lsm.read.Entry;

/** The entries that a flush or merge writes, in order. One thread at a time. */
interface EntryStream extends AutoCloseable {
  /** Moves to the first or the next entry to be written; false past the end. */
  boolean next();

  /** The entry, where {@link #next} moved. */
  Entry entry();

  /** Whether its key is not that of the entry before. */
  boolean isNewKey();

  /** Bytes of input consumed so far, about. */
  long consumedBytes();

  @Override
  void close();
}
