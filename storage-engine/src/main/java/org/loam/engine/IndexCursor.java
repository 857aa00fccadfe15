package org.loam.engine;

import java.util.Arrays;
import org.loam.common.error.ClosedException;
import org.loam.common.error.CorruptionException;
import org.loam.engine.dataset.DatasetState;
import org.loam.lsm.dataset.IndexEntries;

/**
 * Walks the entries that a query of an index finds, in the order of the index, all of one moment:
 * the index's keys and those of the records. It reads no record. One thread at a time. Begins
 * before the first entry; close it, or old versions are kept for it.
 */
public final class IndexCursor implements AutoCloseable {
  private final DatasetState.Index index;
  private final Cursor entries;
  private byte[] entry = {};

  /** Where the record's key begins in the entry; -1 if there is no entry. */
  private int offset = -1;

  /**
   * @param entries owned by this cursor
   */
  IndexCursor(DatasetState.Index index, Cursor entries) {
    this.index = index;
    this.entries = entries;
  }

  /**
   * Moves to the next entry.
   *
   * @return false past the end
   * @throws ClosedException if cursor, index, dataset or engine was closed
   * @throws CorruptionException if anything that is read is damaged
   */
  public boolean next() {
    offset = -1;
    if (entries.next()) {
      entry = entries.key();
      offset = IndexEntries.keyOffset(index.definition().parts(), entry);
    }
    return offset >= 0;
  }

  DatasetState.Index index() {
    return index;
  }

  /** The moment that it shows; registered until it is closed. */
  long readLsn() {
    return entries.readLsn();
  }

  /** The index's key; the caller's own. */
  public byte[] indexKey() {
    return Arrays.copyOf(entry, here());
  }

  /** The key of a record that has the index's key; the caller's own. */
  public byte[] key() {
    return Arrays.copyOfRange(entry, here(), entry.length);
  }

  private int here() {
    if (offset < 0) {
      throw new IllegalStateException("the cursor is not at an entry; call next() first");
    }
    return offset;
  }

  /** Ends the query. Closing twice is harmless. */
  @Override
  public void close() {
    offset = -1;
    entries.close();
  }
}
