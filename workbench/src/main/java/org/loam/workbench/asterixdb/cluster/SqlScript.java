package org.loam.workbench.asterixdb.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Divides a script of SQL++ into statements. The query service takes several at once, but if one
 * fails after another has had rows, it breaks its answer off and does not say why; so each goes in
 * a request of its own. What counts only within its request ({@code USE}, {@code SET}, {@code
 * DECLARE FUNCTION}) is put in front of those that follow.
 *
 * <p>A semicolon in a comment, a text or a quoted name ends nothing. One of these that is not
 * closed is left to AsterixDB, which says so.
 */
final class SqlScript {
  /**
   * A statement with all that it needs to run.
   *
   * @param line 1-based, where it begins in the script
   * @param text has it on the same line, so that AsterixDB's messages name lines of the script
   */
  record Statement(int line, String text) {}

  private final String script;
  private final List<Statement> statements = new ArrayList<>();

  /** The last {@code USE}, with its end; empty if there is none, or its dataverse was dropped. */
  private String use = "";

  private String dataverse = "";

  /** Other statements that those after them need, each with its end. */
  private final StringBuilder declarations = new StringBuilder();

  /** What the current statement consists of, without comments. */
  private final List<String> pieces = new ArrayList<>();

  private int start;

  private SqlScript(String script) {
    this.script = script;
  }

  /** The statements of a script, in order. */
  static List<Statement> statements(String script) {
    SqlScript divided = new SqlScript(script);
    divided.divide();
    return divided.statements;
  }

  private void divide() {
    for (int at = 0; at < script.length(); ) {
      int end = end(at);
      String piece = script.substring(at, end);
      if (piece.equals(";")) {
        endStatement(at);
      } else if (!piece.isBlank() && !isComment(at)) {
        if (pieces.isEmpty()) {
          start = at;
        }
        pieces.add(piece);
      }
      at = end;
    }
    endStatement(script.length());
  }

  /** Where the comment, the text, the name, the word or the other character ends. */
  private int end(int at) {
    if (isComment(at)) {
      return script.startsWith("/*", at) ? endOf("*/", at + 2) : endOf("\n", at);
    }
    char first = script.charAt(at);
    if (first == '"' || first == '\'' || first == '`') {
      return endOfQuoted(at, first);
    }
    int end = at;
    while (end < script.length() && Character.isJavaIdentifierPart(script.charAt(end))) {
      end++;
    }
    return Math.max(end, at + 1);
  }

  private boolean isComment(int at) {
    return script.startsWith("--", at)
        || script.startsWith("//", at)
        || script.startsWith("/*", at);
  }

  private int endOf(String mark, int from) {
    int found = script.indexOf(mark, from);
    return found < 0 ? script.length() : found + mark.length();
  }

  private int endOfQuoted(int at, char quote) {
    for (int i = at + 1; i < script.length(); i++) {
      if (script.charAt(i) == '\\') {
        i++;
      } else if (script.charAt(i) == quote) {
        return i + 1;
      }
    }
    return script.length();
  }

  private void endStatement(int end) {
    if (pieces.isEmpty()) {
      return;
    }
    String text = script.substring(start, end);
    int line = 1 + lineBreaks(script.substring(0, start));
    String before = use + declarations;
    // What is in front was above it in the script, so it has no more lines than are above it.
    String above = before + "\n".repeat(line - 1 - lineBreaks(before));
    statements.add(new Statement(line, above + text));
    note(text);
    pieces.clear();
  }

  private void note(String text) {
    String first = word(0);
    if (first.equals("use")) {
      use = text + ";";
      dataverse = nameFrom(1);
    } else if (first.equals("set") || first.equals("declare")) {
      declarations.append(text).append(';');
    } else if (first.equals("drop") && word(1).equals("dataverse")) {
      if (nameFrom(2).equals(dataverse)) {
        use = "";
      }
    }
  }

  private String word(int index) {
    return index < pieces.size() ? pieces.get(index).toLowerCase(Locale.ROOT) : "";
  }

  /** The name that begins with this piece: parts with points between them, quoted or not. */
  private String nameFrom(int index) {
    StringBuilder name = new StringBuilder();
    for (int i = index; i < pieces.size(); i += 2) {
      name.append(pieces.get(i).replace("`", ""));
      if (!word(i + 1).equals(".")) {
        break;
      }
      name.append('.');
    }
    return name.toString();
  }

  private static int lineBreaks(String text) {
    return (int) text.chars().filter(c -> c == '\n').count();
  }
}
