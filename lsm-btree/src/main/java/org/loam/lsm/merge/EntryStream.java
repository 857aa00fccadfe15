package org.loam.lsm.merge;

import org.loam.lsm.read.Entry;

/** The entries that a flush or merge writes, in order. One thread at a time. */
interface EntryStream extends AutoCloseable {
  /** Where {@link #next} has come to. */
  enum Next {
    /** At an entry to be written. */
    ENTRY,

    /** At none, after a part of the input that is dropped; there may be more behind it. */
    NOTHING_YET,

    /** Past the end. */
    END
  }

  /**
   * Moves to the first or the next entry to be written, but not past any number of entries that are
   * dropped: so that a step ends after its quantum, whatever becomes of the input.
   */
  Next next();

  /** The entry, where {@link #next} moved. */
  Entry entry();

  /** Whether its key is not that of the entry before. */
  boolean isNewKey();

  /** Bytes of input consumed so far, about. */
  long consumedBytes();

  @Override
  void close();
}
