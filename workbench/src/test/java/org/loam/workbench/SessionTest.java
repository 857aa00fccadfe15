package org.loam.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sessions on the command line, each in a directory of its own, compared with what is kept of them;
 * {@code -Dloam.rewrite=true} keeps what they say now. A command as a process takes a second of a
 * processor, so most sessions have one process for all of their commands.
 */
class SessionTest {
  private static final Path FILES = Path.of("src/test/resources/org/loam/workbench");

  private static final Path ROOT = Path.of("..");
  private static final Path EXAMPLES = ROOT.resolve("docs/examples");

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "database/ingest",
        "database/bad-records",
        "database/look",
        "database/shape",
        "database/stats",
        "asterixdb/asterixdb"
      })
  void commandsSayWhatTheySaid(String name) throws IOException {
    Path session = session(name);
    ProcessBuilder builder =
        LoamProcess.builder(256, SessionMain.class, session.getFileName().toString());
    LoamProcess.Result result = run(builder, "");
    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(result.err()).isEmpty();
    compare(session, result.out());
  }

  /** As a user has them: a process for each command, with two streams and an exit code. */
  @ParameterizedTest
  @ValueSource(strings = {"database/bad-input", "database/readme"})
  void processesSayWhatTheySaid(String name) throws IOException {
    Path session = session(name);
    compare(
        session,
        Session.play(
            Files.readAllLines(session),
            (input, words) -> run(LoamProcess.builder(64, Loam.class, words), input)));
  }

  private LoamProcess.Result run(ProcessBuilder builder, String input) {
    return LoamProcess.run(
        builder.directory(directory.toFile()), process -> LoamProcess.all(process, input));
  }

  private Path session(String name) throws IOException {
    Path session = FILES.resolve(name + ".session");
    copyFiles(session.getParent(), directory);
    copyFiles(EXAMPLES, directory);
    copyFiles(EXAMPLES, Files.createDirectories(directory.resolve("docs/examples")));
    return session;
  }

  private void compare(Path session, String output) throws IOException {
    String said = normalised(output.replace(directory.toString(), "#"));
    if (Boolean.getBoolean("loam.rewrite")) {
      Files.writeString(session, said);
    }
    assertThat(said.lines())
        .containsExactlyElementsOf(List.of(Files.readString(session).split("\n")));
  }

  private static void copyFiles(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void theReadmeShowsASessionThatIsTested() throws IOException {
    String readme = normalised(Files.readString(ROOT.resolve("README.md")));
    String session = Files.readString(FILES.resolve("database/readme.session"));
    assertThat(readme).contains("```console\n" + session + "```\n");
  }

  /** Without what depends on the machine. */
  private static String normalised(String said) {
    return said.replaceAll("in [0-9.]+ s \\([0-9,]+ records/s\\)", "in # s (# records/s)")
        .replaceAll("(\"seconds\" : )[-0-9.E]+", "$1#")
        .replaceAll("[0-9.]+ MiB", "# MiB")
        .replaceAll("(write|live|leaving|cache|fixed|of) [0-9.]+", "$1 #")
        .replaceAll("[0-9.]+ of #", "# of #")
        .replaceAll("[0-9]+ (hits|misses)", "# $1")
        // A slow machine leaves time to merge what is not due.
        .replaceAll("[0-9]+ (flushes|merges)", "# $1")
        .replaceAll("L[0-9]+: (.*), groups [01]", "L#: $1, groups #")
        .replaceAll("(\"recordsPerSecond\" : )[0-9]+", "$1#");
  }
}
