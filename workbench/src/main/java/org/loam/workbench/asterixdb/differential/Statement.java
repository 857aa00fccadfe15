package org.loam.workbench.asterixdb.differential;

import java.util.List;

/**
 * A statement, or something else that is done to a cluster.
 *
 * @param number 1-based, within its seed
 * @param text one line of SQL++; the dataset of a {@code FLUSH}; empty for what has no statement
 * @param ordered whether SQL++ fixes the order of its rows
 * @param cleanup runs on both clusters if the statement fails on both, since AsterixDB may keep any
 *     part of a batch that fails; empty if there is no need
 * @param file lines of the file that {@link #FILE} in the text stands for
 */
record Statement(
    int number,
    StatementKind kind,
    String text,
    boolean ordered,
    String cleanup,
    List<String> file) {
  /** In a text, the path of a file. */
  static final String FILE = "@FILE@";

  /** Where datasets are. */
  static final String DATAVERSE = "diff";

  Statement {
    if (text.contains("\n") || cleanup.contains("\n")) {
      throw new IllegalArgumentException("a statement has more than one line: " + text);
    }
    file = List.copyOf(file);
  }

  /** One without a file. */
  static Statement of(
      int number, StatementKind kind, String text, boolean ordered, String cleanup) {
    return new Statement(number, kind, text, ordered, cleanup, List.of());
  }

  /** The same with another file. */
  Statement withFile(List<String> lines) {
    return new Statement(number, kind, text, ordered, cleanup, lines);
  }

  /** The same with another text. */
  Statement withText(String other) {
    return new Statement(number, kind, other, ordered, cleanup, file);
  }

  /** Short enough for a message. */
  String summary() {
    return text.length() <= SUMMARY ? text : text.substring(0, SUMMARY) + " ...";
  }

  private static final int SUMMARY = 400;
}
