package org.loam.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.it.SourceTree.Source;
import org.loam.workbench.Loam;
import picocli.CommandLine;

/**
 * {@code scripts/soak} takes hours, so that it would not be noticed for long if it asked for a test
 * or an option that there is no more. Here Maven and {@code ./loam} are played by scripts that note
 * what they are asked for.
 */
@Tag("once")
class SoakTest {
  /** Ends a call in the notes. */
  private static final String END = "end of call";

  @TempDir Path directory;

  private Path notes;

  @BeforeEach
  void copy() throws IOException {
    notes = directory.resolve("notes");
    Path script = Files.createDirectory(directory.resolve("scripts")).resolve("soak");
    Files.copy(SourceTree.root().resolve("scripts/soak"), script);
    Files.createDirectory(directory.resolve("bin"));
    play("loam");
    play("bin/mvn");
  }

  /** A command that succeeds, unless it is asked for the test that is to fail. */
  private void play(String command) throws IOException {
    Path file = directory.resolve(command);
    Files.writeString(
        file,
        """
        #!/bin/sh
        printf '%s\\n' "$0" "$@" '"""
            + END
            + """
            ' >>"$NOTES"
            case "$*" in *"$FAILING"*) echo '[ERROR] planned'; exit 1;; esac
            """);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private record Result(int exitCode, String out) {}

  private Result soak(String minutes, String failing) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder("bash", directory.resolve("scripts/soak").toString(), minutes)
            .redirectErrorStream(true);
    builder.environment().merge("PATH", directory + "/bin", (old, bin) -> bin + ":" + old);
    builder.environment().put("NOTES", notes.toString());
    builder.environment().put("FAILING", failing);
    builder.environment().put("LOAM_ASTERIXDB_DATA", directory.toString());
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), out);
  }

  /** The arguments of each call of a command. */
  private List<List<String>> calls(String command) throws IOException {
    List<List<String>> calls = new ArrayList<>();
    List<String> call = new ArrayList<>();
    for (String line : Files.readAllLines(notes)) {
      if (!line.equals(END)) {
        call.add(line);
      } else {
        if (call.get(0).endsWith(command)) {
          calls.add(List.copyOf(call.subList(1, call.size())));
        }
        call.clear();
      }
    }
    return calls;
  }

  @Test
  void whatASoakAsksForIsThere() throws Exception {
    Result result = soak("0", "nothing of all this");
    assertThat(result.out()).endsWith("soak: 1 rounds in 0 minutes, nothing failed\n");
    assertThat(result.exitCode()).isZero();
    List<Source> sources = SourceTree.mainAndTests();
    List<List<String>> maven = calls("mvn");
    assertThat(maven).hasSizeGreaterThan(10);
    for (List<String> call : maven) {
      assertThat(call).startsWith("-B", "-ntp", "-Dfast", "-Dsoak", "-pl").contains("-am", "test");
      for (String argument : call.subList(call.indexOf("test") + 1, call.size())) {
        requireKnown(sources, List.of(call.get(5).split(",")), argument);
      }
    }
    List<List<String>> commands = calls("loam");
    assertThat(commands).hasSizeGreaterThan(4);
    for (List<String> command : commands) {
      CommandLine line = new CommandLine(new Loam()).setCaseInsensitiveEnumValuesAllowed(true);
      assertThatCode(() -> line.parseArgs(command.toArray(new String[0])))
          .doesNotThrowAnyException();
    }
  }

  /** An argument of Maven's names tests of the modules, or a property that a test reads. */
  private static void requireKnown(List<Source> sources, List<String> modules, String argument) {
    String[] property = argument.split("=", 2);
    if (!property[0].equals("-Dtest")) {
      String name = "\"" + property[0].replaceFirst("-D", "") + "\"";
      assertThat(sources).as(argument).anyMatch(source -> source.text().contains(name));
      return;
    }
    for (String test : property[1].split(",")) {
      String file = test.replace("*", ".*") + "\\.java";
      assertThat(sources)
          .as("%s in %s", test, modules)
          .anyMatch(source -> source.fileName().matches(file) && modules.contains(source.module()));
    }
  }

  @Test
  void aFailureEndsItWithTheCommandThatRepeatsIt() throws Exception {
    Result result = soak("1", "PlantedBugsTest");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.out())
        .contains("[ERROR] planned", "soak: failed: planted bugs", "Repeat with:")
        .contains(
            "mvn -B -ntp -Dfast -Dsoak -pl integration-tests -am test -Dtest=PlantedBugsTest");
    assertThat(calls("mvn")).hasSize(5);
  }

  @Test
  void minutesAreAWholeNumber() throws Exception {
    for (String minutes : List.of("-1", "1.5", "007", "ten")) {
      assertThat(soak(minutes, "nothing").exitCode()).as(minutes).isEqualTo(2);
    }
  }
}
