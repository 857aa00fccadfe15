package org.loam.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The README is short, and the first two commands that a newcomer meets are these: one shows Loam
 * at work, one runs all tests.
 */
@Tag("once")
class ReadmeTest {
  private static final Path README = SourceTree.root().resolve("README.md");

  private static final int MAX_LINES = 120;
  private static final int MAX_COLUMNS = 100;

  @Test
  void itFitsOnFewScreens() throws IOException {
    List<String> lines = Files.readAllLines(README);
    assertThat(lines).hasSizeLessThanOrEqualTo(MAX_LINES);
    assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(MAX_COLUMNS));
  }

  @Test
  void itBeginsWithTheDemoAndTheTests() throws IOException {
    List<String> commands =
        Files.readAllLines(README).stream()
            .filter(line -> line.startsWith("    "))
            .map(String::strip)
            .limit(2)
            .toList();
    assertThat(commands).containsExactly("./loam demo", "mvn -B -ntp -T 2 verify");
    assertThat(Files.readString(SourceTree.root().resolve(".ci/run")))
        .contains("\n" + commands.get(1) + " ");
  }
}
