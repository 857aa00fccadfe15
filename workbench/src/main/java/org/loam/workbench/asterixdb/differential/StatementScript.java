package org.loam.workbench.asterixdb.differential;

import java.util.ArrayList;
import java.util.List;
import org.loam.workbench.console.CommandException;

/**
 * Statements as a file that people read and {@code --script} runs: SQL++ in lines, above each of
 * them a comment with its number and kind, and if it has them with its cleanup and the lines of its
 * file.
 */
final class StatementScript {
  private static final String HEAD = "--# ";
  private static final String CLEANUP = "--! ";
  private static final String LINE = "--| ";
  private static final String ORDERED = " ordered";

  private StatementScript() {}

  /**
   * Writes statements.
   *
   * @param comments lines above all
   */
  static List<String> write(List<String> comments, List<Statement> statements) {
    List<String> lines = new ArrayList<>();
    comments.forEach(comment -> lines.add("-- " + comment));
    for (Statement statement : statements) {
      lines.add(
          HEAD
              + statement.number()
              + " "
              + statement.kind()
              + (statement.ordered() ? ORDERED : ""));
      if (!statement.cleanup().isEmpty()) {
        lines.add(CLEANUP + statement.cleanup());
      }
      statement.file().forEach(line -> lines.add(LINE + line));
      lines.add(statement.text());
    }
    return lines;
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws CommandException if it is something else
   */
  static List<Statement> read(List<String> lines) {
    List<Statement> statements = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.startsWith(HEAD)) {
        continue;
      }
      try {
        String[] head = line.substring(HEAD.length()).split(" ", -1);
        String cleanup = "";
        List<String> file = new ArrayList<>();
        for (line = lines.get(++i); isDetail(line); line = lines.get(++i)) {
          if (line.startsWith(CLEANUP)) {
            cleanup = line.substring(CLEANUP.length());
          } else {
            file.add(line.substring(LINE.length()));
          }
        }
        statements.add(
            new Statement(
                Integer.parseInt(head[0]),
                StatementKind.valueOf(head[1]),
                line,
                head.length > 2,
                cleanup,
                file));
      } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
        throw CommandException.usage("line " + (i + 1) + " is none of a script: " + e.getMessage());
      }
    }
    if (statements.isEmpty()) {
      throw CommandException.usage("the script has no statement below a line '" + HEAD + "1 SCAN'");
    }
    return statements;
  }

  private static boolean isDetail(String line) {
    return line.startsWith(CLEANUP) || line.startsWith(LINE);
  }
}
