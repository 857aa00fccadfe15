package org.loam.it.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.it.SourceTree;

/**
 * The example of the README is the source of a project that uses Loam as a dependency; it compiles
 * and does what it says, here and in that project.
 */
@Tag("once")
class ConsumerTest {
  private static final Path PROJECT =
      SourceTree.root().resolve("integration-tests/src/it/consumer");
  private static final Path SOURCES = PROJECT.resolve("src/main/java/com/example/orders");
  private static final List<String> SAID =
      List.of(
          "true: paid, was new",
          "ann/1001",
          "ann/1002",
          "1003 of 2024-03-05",
          "1001 of 2024-03-01");

  @TempDir Path directory;

  @Test
  void theReadmeShowsTheSourceThatIsTested() throws IOException {
    String pom = Files.readString(PROJECT.resolve("pom.xml"));
    assertThat(blocksOfReadme("java"))
        .containsExactly(shown("Orders.java"), shown("OrderDataset.java"));
    assertThat(blocksOfReadme("xml"))
        .isEqualTo(parts(pom, "<dependencies>\n(.*?)\n *</dependencies>"));
  }

  private static String shown(String file) throws IOException {
    String source = Files.readString(SOURCES.resolve(file));
    List<String> parts = parts(source, "// \\[README\n(.*?)\n *// README]");
    assertThat(parts).as(file).hasSize(1);
    return parts.get(0);
  }

  private static List<String> blocksOfReadme(String language) throws IOException {
    String readme = Files.readString(SourceTree.root().resolve("README.md"));
    return parts(readme, "```" + language + "\n(.*?)\n```");
  }

  /** What the group of a pattern finds, without the indentation that all of its lines share. */
  private static List<String> parts(String text, String pattern) {
    List<String> parts = new ArrayList<>();
    Matcher matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(text);
    while (matcher.find()) {
      parts.add(matcher.group(1).stripIndent());
    }
    assertThat(parts).as(pattern).isNotEmpty();
    return parts;
  }

  @Test
  void theExampleDoesWhatItSays() throws Exception {
    Path classes = Files.createDirectory(directory.resolve("classes"));
    compile(classes);
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
      Method run =
          loader
              .loadClass("com.example.orders.Main")
              .getDeclaredMethod("run", Path.class, PrintStream.class);
      run.setAccessible(true);
      run.invoke(null, directory.resolve("database"), new PrintStream(said, true, UTF_8));
    }
    assertThat(said.toString(UTF_8).lines()).containsExactlyElementsOf(SAID);
  }

  private static void compile(Path classes) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    ByteArrayOutputStream complaints = new ByteArrayOutputStream();
    int exitCode =
        compiler.run(
            null,
            null,
            complaints,
            "-Xlint:all,-path,-classfile",
            "-Werror",
            "-proc:none",
            "--release=17",
            "-d",
            classes.toString(),
            "-cp",
            System.getProperty("java.class.path"),
            SOURCES.resolve("Orders.java").toString(),
            SOURCES.resolve("OrderDataset.java").toString(),
            SOURCES.resolve("Main.java").toString());
    assertThat(exitCode).as(complaints.toString(UTF_8)).isZero();
  }

  @Test
  @Timeout(300)
  void aProjectOfItsOwnHasLoamAsADependency() throws Exception {
    // Out of our tree, so that no .mvn directory of ours is above it.
    Path project = directory.resolve("consumer");
    FileUtils.copyDirectory(PROJECT.toFile(), project.toFile());
    try (LocalRepository repository = LocalRepository.create(directory.resolve("repository"))) {
      Path errors = directory.resolve("errors");
      Process maven = maven(project, repository).redirectError(errors.toFile()).start();
      String said = new String(maven.getInputStream().readAllBytes(), UTF_8);
      assertThat(maven.waitFor()).as("%s%n%s", said, Files.readString(errors)).isZero();
      // Maven resets the colours of a terminal even where there is none.
      Stream<String> lines = said.replaceAll("\u001b\\[[0-9;]*m", "").lines();
      assertThat(lines.filter(line -> !line.isEmpty())).containsExactlyElementsOf(SAID);
    }
  }

  /** The Maven that runs this build; where none does, the one on the path. */
  private static ProcessBuilder maven(Path project, LocalRepository repository) {
    String home = System.getProperty("loam.maven.home");
    ProcessBuilder builder =
        new ProcessBuilder(
            home == null ? "mvn" : Path.of(home, "bin", "mvn").toString(),
            "-q",
            "-B",
            "-ntp",
            "-Dmaven.repo.local=" + repository.directory(),
            "-Dexec.args=" + project.resolveSibling("database"),
            "compile",
            "exec:java");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder.directory(project.toFile());
  }
}
