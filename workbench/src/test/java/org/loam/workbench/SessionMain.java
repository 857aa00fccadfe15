package org.loam.workbench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs the commands of a session in the current directory and prints the session as it went. A line
 * {@code $ ./loam ...} is a command, lines {@code < ...} after it are its standard input, {@code #}
 * begins a comment; everything else is what commands said: errors with {@code !} before them, and
 * an exit code that is not 0 in brackets.
 */
final class SessionMain {
  private static final String PROMPT = "$ ./loam ";
  private static final String INPUT = "< ";
  private static final Pattern WORD = Pattern.compile("'([^']*)'|([^\\s']+)");

  private SessionMain() {}

  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    List<String> lines = Files.readAllLines(Path.of(arguments[0]));
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith(PROMPT)) {
        out.println(line);
        StringBuilder input = new StringBuilder();
        for (; i + 1 < lines.size() && lines.get(i + 1).startsWith(INPUT); i++) {
          out.println(lines.get(i + 1));
          input.append(lines.get(i + 1).substring(INPUT.length())).append('\n');
        }
        System.setIn(new ByteArrayInputStream(input.toString().getBytes(UTF_8)));
        run(words(line.substring(PROMPT.length())), out);
      } else if (line.startsWith("#") || line.isEmpty()) {
        out.println(line);
      }
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

  private static void run(String[] words, PrintStream to) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = Loam.execute(new PrintWriter(out), new PrintWriter(err), false, words);
    to.print(out);
    err.toString().lines().forEach(line -> to.println("! " + line));
    if (exitCode != 0) {
      to.println("[" + exitCode + "]");
    }
  }
}
