package org.loam.workbench.asterixdb.differential;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What a storage answers.
 *
 * @param rows as {@code StatementClient.losslessTexts} has them; sorted where SQL++ leaves their
 *     order open
 * @param fault code of the error, or what its message begins with; empty if there is none
 * @param message of the error
 */
record Outcome(List<String> rows, String fault, String message) {
  /** The fault of a statement at whose end a node does not run. */
  static final String ENDED = "a node has ended";

  /** The fault of a statement without an answer. */
  static final String SILENT = "no answer";

  private static final Pattern AFTER_CLASS = Pattern.compile("[:\"(\\d].*");

  Outcome {
    rows = List.copyOf(rows);
  }

  /** Rows, as they came. */
  static Outcome of(List<String> rows, boolean ordered) {
    return new Outcome(ordered ? rows : rows.stream().sorted().toList(), "", "");
  }

  /**
   * A refusal.
   *
   * @param code as AsterixDB gives it; empty if it gives none
   */
  static Outcome refused(String code, String message) {
    String fault = code.isEmpty() ? AFTER_CLASS.matcher(message).replaceAll("").strip() : code;
    return new Outcome(List.of(), fault.isEmpty() ? "an error" : fault, message);
  }

  boolean isRefused() {
    return !fault.isEmpty();
  }

  /** Whether both are the same to a user: rows exactly, errors by code or class. */
  boolean isSameAs(Outcome other) {
    return rows.equals(other.rows) && fault.equals(other.fault);
  }

  /** Whether nodes have to be started before the next statement. */
  boolean isEnd() {
    return fault.equals(ENDED) || fault.equals(SILENT);
  }
}
