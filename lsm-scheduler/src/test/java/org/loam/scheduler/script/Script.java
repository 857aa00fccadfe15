package org.loam.scheduler.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Runs a test that is a script: blocks of a command, a line {@code ----} and the output expected of
 * it, separated by blank lines. Lines that begin with # before a command are comment. With {@code
 * -Drewrite} the outputs in the file are replaced by what the commands say now.
 */
public final class Script {
  private static final String RULE = "----";

  private Script() {}

  /**
   * One command.
   *
   * @param verb first word of its first line
   * @param options the other words of that line
   * @param lines the lines below it, without the spaces around them
   */
  public record Command(String verb, List<String> options, List<String> lines) {
    /** The value of {@code name=value} among the options. */
    public String option(String name, String otherwise) {
      for (String option : options) {
        if (option.startsWith(name + "=")) {
          return option.substring(name.length() + 1);
        }
      }
      return otherwise;
    }
  }

  /** Runs a file of {@code src/test/testdata}. */
  public static void run(String name, Function<Command, String> interpreter) {
    Path file = Path.of("src", "test", "testdata", name);
    try {
      String expected = Files.readString(file);
      String actual = replay(expected, interpreter);
      if (System.getProperty("rewrite") != null) {
        Files.writeString(file, actual);
      } else {
        assertThat(actual).as(file + " (-Drewrite accepts the new outputs)").isEqualTo(expected);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String replay(String text, Function<Command, String> interpreter) {
    StringBuilder out = new StringBuilder();
    List<String> command = new ArrayList<>();
    boolean inOutput = false;
    for (String line : text.lines().toList()) {
      if (inOutput) {
        inOutput = !line.isBlank();
        if (!inOutput) {
          out.append('\n');
        }
        continue;
      }
      out.append(line).append('\n');
      if (line.equals(RULE)) {
        String output = interpreter.apply(parse(command)).strip();
        out.append(output.isEmpty() ? "nothing" : output).append('\n');
        command.clear();
        inOutput = true;
      } else if (!line.isBlank() && !line.startsWith("#")) {
        command.add(line.strip());
      }
    }
    return out.toString();
  }

  private static Command parse(List<String> lines) {
    assertThat(lines).as("a command before " + RULE).isNotEmpty();
    List<String> words = List.of(lines.get(0).split(" +", -1));
    return new Command(
        words.get(0), words.subList(1, words.size()), List.copyOf(lines.subList(1, lines.size())));
  }
}
