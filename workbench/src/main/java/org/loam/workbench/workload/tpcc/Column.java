package org.loam.workbench.workload.tpcc;

/**
 * A column that holds a number.
 *
 * @param offset of its first byte in the records of its table
 * @param bytes of the number: 1, 2, 4 or 8
 */
public record Column(int offset, int bytes) {
  /** The first column of a table. */
  static Column first(int bytes) {
    return new Column(0, bytes);
  }

  /** The column behind this one. */
  Column next(int bytes) {
    return new Column(end(), bytes);
  }

  /** Where the column ends. */
  int end() {
    return offset + bytes;
  }
}
