package org.loam.workbench.database;

/** A record of the input; its array belongs to its reader. */
final class InputRecord {
  private final long line;
  private final byte[] json;

  /**
   * @param line where it begins, from 1 on
   */
  InputRecord(long line, byte[] json) {
    this.line = line;
    this.json = json;
  }

  long line() {
    return line;
  }

  byte[] json() {
    return json;
  }
}
