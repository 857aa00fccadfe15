package org.loam.engine.dataset;

import org.loam.engine.commit.PreparedBatch;
import org.loam.lsm.dataset.IndexEntries;

/**
 * Puts the changes of an index into a batch.
 *
 * @param maxKeyBytes the longest key that a tree takes
 */
record IndexWrites(DatasetState.Index index, int maxKeyBytes, PreparedBatch batch)
    implements IndexEntries.Changes {
  private static final byte[] NO_VALUE = new byte[0];

  @Override
  public void add(byte[] entry) {
    if (entry.length > maxKeyBytes) {
      throw new IllegalArgumentException(
          "an entry of index '"
              + index.definition().name()
              + "' has "
              + entry.length
              + " bytes, index key and record's key together, must have at most "
              + maxKeyBytes);
    }
    batch.put(index.tree(), entry, NO_VALUE);
  }

  @Override
  public void remove(byte[] entry) {
    batch.delete(index.tree(), entry);
  }
}
