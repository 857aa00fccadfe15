package org.loam.workbench.database;

/** Shows records, one after the other. */
interface RecordPrinter {
  /**
   * Shows a record.
   *
   * @return whether anybody still looks
   */
  boolean print(byte[] record);

  /** After the last record. */
  void end();
}
