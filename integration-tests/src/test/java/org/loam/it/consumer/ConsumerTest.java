package org.loam.it.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.it.SourceTree;

/**
 * The page on Loam as a library works as pasted, twice; the README shows a part of it. The files of
 * the page are a project of its own, which has Loam as a dependency and nothing else of ours.
 */
@Tag("once")
class ConsumerTest {
  @TempDir Path directory;

  @Test
  void theReadmeShowsAPartOfThePage() throws IOException {
    LibraryPage page = LibraryPage.read();
    String readme = Files.readString(SourceTree.root().resolve("README.md"));
    List<String> shown = parts(readme, "```java\n(.*?\n)```");
    assertThat(shown).hasSize(1);
    String inPage = shown.get(0).replaceAll("(?m)^(?=.)", "    ");
    assertThat(page.contains(inPage)).as(inPage).isTrue();
  }

  @Test
  void thePageNamesTheVersionsOfTheBuild() throws IOException {
    String build = Files.readString(SourceTree.root().resolve("pom.xml"));
    Path pom = pasted().resolve("pom.xml");
    assertThat(version(Files.readString(pom), "log4j-core"))
        .isEqualTo(parts(build, "<log4j.version>(.*?)</log4j.version>").get(0));
    assertThat(version(Files.readString(pom), "storage-engine")).isEqualTo(version(build, "loam"));
  }

  private static String version(String pom, String artifact) {
    return parts(pom, "<artifactId>" + artifact + "</artifactId>\\s*<version>(.*?)</version>")
        .get(0);
  }

  /** What the group of a pattern finds. */
  private static List<String> parts(String text, String pattern) {
    List<String> parts = new ArrayList<>();
    Matcher matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(text);
    while (matcher.find()) {
      parts.add(matcher.group(1));
    }
    assertThat(parts).as(pattern).isNotEmpty();
    return parts;
  }

  /** Out of our tree, so that no .mvn directory of ours is above it. */
  private Path pasted() throws IOException {
    Path project = directory.resolve("project");
    LibraryPage.read().pasteInto(project);
    return project;
  }

  @Test
  void theCompilerHasNoWarning() throws IOException {
    Path sources = pasted().resolve("src/main/java");
    List<String> arguments = new ArrayList<>(List.of("-Xlint:all,-path,-classfile", "-Werror"));
    arguments.addAll(List.of("-proc:none", "--release=17", "-d", directory.toString()));
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
    try (Stream<Path> files = Files.list(sources)) {
      files.forEach(file -> arguments.add(file.toString()));
    }
    ByteArrayOutputStream complaints = new ByteArrayOutputStream();
    int exitCode =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, complaints, arguments.toArray(String[]::new));
    assertThat(exitCode).as(complaints.toString(UTF_8)).isZero();
  }

  @Test
  @Timeout(300)
  void thePageWorksAsPastedTwice() throws Exception {
    Path project = pasted();
    LibraryPage page = LibraryPage.read();
    assertThat(page.commands()).hasSize(2);
    assertThat(page.outputs()).hasSize(2);
    assertThat(page.contains("the first line is `found: paid`")).isTrue();
    List<String> trees = page.outputs().get(0);
    List<String> treesAgain = new ArrayList<>(trees);
    treesAgain.set(0, "found: paid");
    List<String> records = page.outputs().get(1);
    try (LocalRepository repository = LocalRepository.create(directory.resolve("repository"))) {
      Maven maven = new Maven(project, repository);
      assertThat(maven.run(page.commands().get(0))).isEqualTo(trees);
      assertThat(maven.run(page.commands().get(0))).isEqualTo(treesAgain);
      assertThat(maven.run(page.commands().get(1))).isEqualTo(records);
      assertThat(maven.run(page.commands().get(1))).isEqualTo(records);
    }
  }

  /** The Maven that runs this build, in a project; where none does, the one on the path. */
  private record Maven(Path project, LocalRepository repository) {
    /** What a command prints. */
    List<String> run(List<String> arguments) throws Exception {
      String home = System.getProperty("loam.maven.home");
      List<String> command = new ArrayList<>();
      command.add(home == null ? "mvn" : Path.of(home, "bin", "mvn").toString());
      command.addAll(List.of("-B", "-ntp", "-Dmaven.repo.local=" + repository.directory()));
      command.addAll(arguments);
      Path errors = project.resolveSibling("errors");
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.directory(project.toFile()).redirectError(errors.toFile());
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      builder.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1");
      Process maven = builder.start();
      String said = new String(maven.getInputStream().readAllBytes(), UTF_8);
      assertThat(maven.waitFor()).as("%s%n%s", said, Files.readString(errors)).isZero();
      // Maven resets the colours of a terminal even where there is none.
      Stream<String> lines = said.replaceAll("\u001b\\[[0-9;]*m", "").lines();
      return lines.filter(line -> !line.isEmpty()).toList();
    }
  }
}
