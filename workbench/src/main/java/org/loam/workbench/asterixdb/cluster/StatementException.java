package org.loam.workbench.asterixdb.cluster;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * AsterixDB refused a statement, or failed in it. The message is one line and begins with its code.
 */
public final class StatementException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final Pattern CODE = Pattern.compile("([A-Z]{3}\\d{4}): .*");

  private final int line;

  StatementException(int line, String message) {
    super(message.replaceAll("\\s+", " ").strip());
    this.line = line;
  }

  /** As {@code ASX1077}; empty if AsterixDB gave none. */
  public String code() {
    Matcher coded = CODE.matcher(String.valueOf(getMessage()));
    return coded.matches() ? coded.group(1) : "";
  }

  /** 1-based: where the statement begins in its script. */
  public int line() {
    return line;
  }
}
