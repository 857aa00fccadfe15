package org.loam.workbench.database;

/** Shows records, one after the other. */
interface RecordPrinter {
  /**
   * Shows a record.
   *
   * @return whether the output still has a reader
   */
  boolean print(byte[] record);

  /** After the last record. */
  void end();
}
