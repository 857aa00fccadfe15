package org.loam.workbench.database;

/** A place of the input is no record; what comes after it may be. */
final class BadRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  private final long line;

  /**
   * @param line where it begins, from 1 on
   */
  BadRecordException(long line, String reason) {
    super(reason);
    this.line = line;
  }

  long line() {
    return line;
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
