package org.loam.it.consumer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.loam.it.SourceTree;

/**
 * The page on Loam as a library, as a reader uses it: files to paste, commands to run and what they
 * print.
 */
final class LibraryPage {
  private static final Pattern FILE =
      Pattern.compile("`([\\w/.]+)`:\n\n```(?:java|xml)\n(.*?\n)```", Pattern.DOTALL);
  private static final Pattern COMMAND =
      Pattern.compile("(?m)^    mvn (.* -Dexec\\.mainClass=.*)$");
  private static final Pattern OUTPUT = Pattern.compile("```text\n(.*?)```", Pattern.DOTALL);

  private final String text;

  private LibraryPage(String text) {
    this.text = text;
  }

  static LibraryPage read() throws IOException {
    return new LibraryPage(Files.readString(SourceTree.root().resolve("docs/LIBRARY.md")));
  }

  /** Writes each file of the page to the place that the page names. */
  void pasteInto(Path directory) throws IOException {
    Matcher files = FILE.matcher(text);
    while (files.find()) {
      Path file = directory.resolve(files.group(1));
      Files.createDirectories(file.getParent());
      Files.writeString(file, files.group(2));
    }
  }

  /** The arguments of each command of Maven that starts a program. */
  List<List<String>> commands() {
    return groups(COMMAND).stream().map(command -> List.of(command.split(" "))).toList();
  }

  /** What each program prints when it is started for the first time, line by line. */
  List<List<String>> outputs() {
    return groups(OUTPUT).stream().map(output -> output.lines().toList()).toList();
  }

  boolean contains(String part) {
    return text.contains(part);
  }

  private List<String> groups(Pattern pattern) {
    List<String> groups = new ArrayList<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      groups.add(matcher.group(1));
    }
    return groups;
  }
}
