package org.loam.common.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * A test that is a script: blocks of a command, a line {@code ----} and the output expected of it,
 * separated by blank lines. Lines that begin with # are comment; the first one says what the script
 * shows. With {@code -Drewrite} the outputs in the file are replaced by what the commands say now.
 */
public final class Script {
  /** A reader takes a script in at one look. */
  private static final int MAX_LINES = 70;

  private static final String RULE = "----";

  private final Path file;
  private final Interpreter interpreter;

  private Script(Path file, Interpreter interpreter) {
    this.file = file;
    this.interpreter = interpreter;
  }

  /** Carries out the commands of one script. */
  @FunctionalInterface
  public interface Interpreter extends AutoCloseable {
    /** Carries out a command; what it returns is the output. */
    String interpret(Command command);

    /** The script is at its end. */
    @Override
    default void close() {}
  }

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

    /** The value of {@code name=number} among the options. */
    public int number(String name, int otherwise) {
      return Integer.parseInt(option(name, Integer.toString(otherwise)));
    }

    /** The error of an interpreter that does not know the command. */
    public IllegalArgumentException unknown() {
      return new IllegalArgumentException("unknown command " + verb);
    }
  }

  /**
   * The scripts of a directory in {@code src/test/testdata} as tests.
   *
   * @param interpreters gives an interpreter for each script
   */
  public static Stream<DynamicTest> tests(
      String directory, Supplier<? extends Interpreter> interpreters) {
    Path path = Path.of("src", "test", "testdata", directory);
    try (Stream<Path> files = Files.list(path)) {
      List<Path> scripts = files.sorted().toList();
      assertThat(scripts).as("scripts in " + path).isNotEmpty();
      return scripts.stream()
          .map(
              file ->
                  DynamicTest.dynamicTest(
                      directory + "/" + file.getFileName(),
                      () -> {
                        try (Interpreter interpreter = interpreters.get()) {
                          new Script(file, interpreter).run();
                        }
                      }));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void run() throws IOException {
    String expected = Files.readString(file);
    assertThat(expected).as(file + " begins with what it shows").startsWith("# ");
    assertThat(expected.lines().count()).as("lines of " + file).isLessThanOrEqualTo(MAX_LINES);
    String actual = replay(expected);
    if (System.getProperty("rewrite") != null) {
      Files.writeString(file, actual);
    } else {
      assertThat(actual).as(file + " (-Drewrite accepts the new outputs)").isEqualTo(expected);
    }
  }

  private String replay(String text) {
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
        out.append(output(command)).append('\n');
        command.clear();
        inOutput = true;
      } else if (!line.isBlank() && !line.startsWith("#")) {
        command.add(line.strip());
      }
    }
    assertThat(command).as("a command without " + RULE + " in " + file).isEmpty();
    return out.toString();
  }

  private String output(List<String> command) {
    assertThat(command).as("a command before " + RULE).isNotEmpty();
    try {
      String output = interpreter.interpret(parse(command)).strip();
      return output.isEmpty() ? "nothing" : output;
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(file + ", at '" + String.join("\n", command) + "'", e);
    }
  }

  private static Command parse(List<String> lines) {
    List<String> words = List.of(lines.get(0).split(" +", -1));
    return new Command(
        words.get(0), words.subList(1, words.size()), List.copyOf(lines.subList(1, lines.size())));
  }
}
