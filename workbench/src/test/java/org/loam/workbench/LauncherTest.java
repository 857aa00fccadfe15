package org.loam.workbench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code ./loam}, in a clone that is built: what the shell hands over arrives. */
class LauncherTest {
  /** ASCII only, for a test that runs in any locale; the shell makes UTF-8 of the escapes. */
  private static final String SESSION =
      """
      name=$'Bj\\303\\270rn'
      printf '{"id": "%s"}\\n' "$name" >"$name.jsonl"
      clone/loam ingest "$name.jsonl" --dataset "$name" --key id >report
      clone/loam get "$name" --dataset "$name"
      clone/loam scan --dataset "$name" | true
      echo "${PIPESTATUS[0]}"
      """;

  @TempDir Path directory;

  @Test
  void argumentsAreUtf8InAnyLocaleAndTheOutputNeedNotBeRead() throws IOException {
    clone(directory.resolve("clone"));
    ProcessBuilder shell =
        new ProcessBuilder("bash", "-e", "-c", SESSION).directory(directory.toFile());
    shell.environment().remove("LOAM_DIRECTORY");
    shell
        .environment()
        .putAll(
            Map.of(
                "LC_ALL",
                "C",
                "JAVA_HOME",
                System.getProperty("java.home"),
                "LOAM_JAVA_OPTS",
                "-XX:TieredStopAtLevel=1"));
    LoamProcess.Result result = LoamProcess.run(shell, LoamProcess::all);
    assertThat(result).isEqualTo(new LoamProcess.Result(0, "{\"id\": \"Bjørn\"}\n0\n", ""));
    assertThat(directory.resolve("report")).content().startsWith("1 records in ");
  }

  /** As much of a clone as the script looks at, built with the classes that are tested. */
  private static void clone(Path root) throws IOException {
    Path build = Files.createDirectories(root.resolve("workbench/target/launcher"));
    Files.createDirectories(root.resolve(".mvn"));
    Files.createDirectories(root.resolve("workbench/src/main"));
    Files.createFile(root.resolve("pom.xml"));
    Files.createFile(root.resolve("workbench/pom.xml"));
    Files.copy(Path.of("../loam"), root.resolve("loam"));
    Files.writeString(build.resolve("profile"), "plain\n");
    Path classpath = build.resolve("classpath");
    Files.writeString(classpath, System.getProperty("java.class.path"), UTF_8);
    // Newer than all sources.
    Files.setLastModifiedTime(classpath, FileTime.from(Instant.now().plus(Duration.ofHours(1))));
  }
}
