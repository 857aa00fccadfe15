package org.loam.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sessions on the command line, each in a process and a directory of its own, compared with what is
 * kept of them; {@code -Dloam.rewrite=true} keeps what they say now.
 */
@Tag("once")
class SessionTest {
  private static final Path FILES = Path.of("src/test/resources/org/loam/workbench");

  private static final Path ROOT = Path.of("..");
  private static final Path EXAMPLES = ROOT.resolve("docs/examples");

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "database/ingest",
        "database/bad-input",
        "database/look",
        "database/shape",
        "database/stats",
        "database/readme",
        "asterixdb/asterixdb"
      })
  void commandsSayWhatTheySaid(String name) throws IOException {
    Path session = FILES.resolve(name + ".session");
    copyFiles(session.getParent(), directory);
    copyFiles(EXAMPLES, directory);
    copyFiles(EXAMPLES, Files.createDirectories(directory.resolve("docs/examples")));
    ProcessBuilder builder =
        LoamProcess.builder(256, SessionMain.class, session.getFileName().toString());
    LoamProcess.Result result =
        LoamProcess.run(builder.directory(directory.toFile()), LoamProcess::all);
    String said = normalised(result.out().replace(directory.toString(), "#"));
    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(result.err()).isEmpty();
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
        .replaceAll("(write|cache|fixed|of) [0-9.]+", "$1 #")
        .replaceAll("[0-9.]+ of #", "# of #")
        .replaceAll("[0-9]+ (hits|misses)", "# $1")
        .replaceAll("(\"recordsPerSecond\" : )[0-9]+", "$1#");
  }
}
