package org.loam.workbench.database;

/** A place of the input is no record. */
final class BadRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  private final long line;
  private final boolean goesOn;

  /**
   * @param line where it begins, from 1 on
   * @param goesOn whether what comes after it can be read
   */
  BadRecordException(long line, String reason, boolean goesOn) {
    super(reason);
    this.line = line;
    this.goesOn = goesOn;
  }

  /** A record that its dataset refused. */
  static BadRecordException of(InputRecord record, IllegalArgumentException refusal) {
    return new BadRecordException(record.line(), String.valueOf(refusal.getMessage()), true);
  }

  long line() {
    return line;
  }

  String reason() {
    return String.valueOf(getMessage());
  }

  boolean goesOn() {
    return goesOn;
  }
}
