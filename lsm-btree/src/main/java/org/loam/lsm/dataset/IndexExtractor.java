package org.loam.lsm.dataset;

/** Finds the keys under which an index keeps a record. Thread-safe. */
@FunctionalInterface
public interface IndexExtractor {
  /**
   * Adds the keys of a record: none if the index does not keep it, several if it is multi-valued.
   * The same record must always have the same keys, since what was added under them is found and
   * taken away by them.
   *
   * @param record not to be changed or kept
   * @param keys takes the keys
   */
  void extract(RecordView record, IndexKeys keys);
}
