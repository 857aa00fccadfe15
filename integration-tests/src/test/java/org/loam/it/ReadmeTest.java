package org.loam.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The first two commands that a newcomer meets: one shows Loam at work, one runs all tests. */
@Tag("once")
class ReadmeTest {
  @Test
  void itBeginsWithTheDemoAndTheTests() throws IOException {
    List<String> commands =
        Files.readAllLines(SourceTree.root().resolve("README.md")).stream()
            .filter(line -> line.startsWith("    "))
            .map(String::strip)
            .limit(2)
            .toList();
    assertThat(commands).containsExactly("./loam demo", "mvn -B -ntp verify");
    assertThat(Files.readString(SourceTree.root().resolve(".ci/run")))
        .contains("\n" + commands.get(1) + " ");
  }
}
