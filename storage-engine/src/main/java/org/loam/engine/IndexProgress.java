package org.loam.engine;

import org.loam.lsm.dataset.IndexDefinition;

/**
 * Is told how far {@link Dataset#createIndex(IndexDefinition, IndexProgress)} is. Called on the
 * thread that builds.
 */
@FunctionalInterface
public interface IndexProgress {
  /** Does nothing. */
  IndexProgress NONE = (doneRecords, totalRecords) -> {};

  /**
   * Called when the first record is about to be read, when the last one was, and now and then
   * between.
   *
   * @param doneRecords records read, never fewer than before
   * @param totalRecords about how many there are, never fewer than were read; until the last one
   *     was read it may be too many, because a record that was written again counts twice
   */
  void at(long doneRecords, long totalRecords);
}
