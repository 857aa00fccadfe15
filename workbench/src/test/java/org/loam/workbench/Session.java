package org.loam.workbench;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A session on the command line. A line {@code $ ./loam ...} is a command, lines {@code < ...}
 * after it are its standard input, {@code #} begins a comment; everything else is what commands
 * said: errors with {@code !} before them, and an exit code that is not 0 in brackets.
 */
final class Session {
  private static final String PROMPT = "$ ./loam ";
  private static final String INPUT = "< ";
  private static final Pattern WORD = Pattern.compile("'([^']*)'|([^\\s']+)");

  /** Runs one command. */
  interface Command {
    LoamProcess.Result run(String input, String... words);
  }

  private Session() {}

  /** The session as it goes now. */
  static String play(List<String> lines, Command command) {
    StringBuilder said = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith(PROMPT)) {
        said.append(line).append('\n');
        StringBuilder input = new StringBuilder();
        for (; i + 1 < lines.size() && lines.get(i + 1).startsWith(INPUT); i++) {
          said.append(lines.get(i + 1)).append('\n');
          input.append(lines.get(i + 1).substring(INPUT.length())).append('\n');
        }
        append(said, command.run(input.toString(), words(line.substring(PROMPT.length()))));
      } else if (line.startsWith("#") || line.isEmpty()) {
        said.append(line).append('\n');
      }
    }
    return said.toString();
  }

  private static void append(StringBuilder said, LoamProcess.Result result) {
    said.append(result.out());
    result.err().lines().forEach(line -> said.append("! ").append(line).append('\n'));
    if (result.exitCode() != 0) {
      said.append('[').append(result.exitCode()).append("]\n");
    }
  }

  private static String[] words(String command) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(command);
    while (matcher.find()) {
      words.add(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
    }
    return words.toArray(new String[0]);
  }
}
