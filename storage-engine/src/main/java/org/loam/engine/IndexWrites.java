package org.loam.engine;

import org.loam.lsm.dataset.IndexEntries;

/** Puts the changes of an index into a batch. */
record IndexWrites(DatasetState.Index index, WriteBatch batch) implements IndexEntries.Changes {
  private static final byte[] NO_VALUE = new byte[0];

  @Override
  public void add(byte[] entry) {
    int longest = index.tree().engine().maxKeyBytes();
    if (entry.length > longest) {
      throw new IllegalArgumentException(
          "an entry of index '"
              + index.definition().name()
              + "' has "
              + entry.length
              + " bytes, index key and record's key together, must have at most "
              + longest);
    }
    batch.put(index.tree(), entry, NO_VALUE);
  }

  @Override
  public void remove(byte[] entry) {
    batch.delete(index.tree(), entry);
  }
}
