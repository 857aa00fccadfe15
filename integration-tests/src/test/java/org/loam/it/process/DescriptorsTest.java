package org.loam.it.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.console.ChildJvm;

/**
 * A process runs out of file descriptors while the engine runs. Its classes are in directories:
 * each class that is loaded then needs a descriptor, too.
 */
@Tag("once")
class DescriptorsTest {
  /** More than the tables that are there where merges are late, which the engine keeps open. */
  private static final int DESCRIPTORS = 1024;

  @TempDir Path directory;

  @Test
  @Timeout(300)
  void aWriteThatGivesUpIsToldWhyFlushesFail() throws Exception {
    assertThat(whyAWriteGaveUp(4 << 20))
        .contains("WRITE_MEMORY_FULL")
        .contains("last failure of a flush")
        .contains("Too many open files");
  }

  @Test
  @Timeout(300)
  void aWriteForWhichThereIsNoSegmentIsToldWhy() throws Exception {
    assertThat(whyAWriteGaveUp(64 << 10))
        .contains("no new log segment")
        .contains("Too many open files");
  }

  /** What a process said of a write that gave up; requires that it went on and lost nothing. */
  private String whyAWriteGaveUp(long segmentBytes) throws IOException, InterruptedException {
    Path database = directory.resolve("database");
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "ulimit -n " + DESCRIPTORS + "; exec \"$@\"", "sh"));
    command.addAll(
        ChildJvm.command(
            StarvedMain.class,
            classDirectories(),
            List.of("-Xmx128m", "-XX:-MaxFDLimit"),
            List.of(database.toString(), Long.toString(segmentBytes))));
    Process child =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String said = new String(child.getInputStream().readAllBytes(), UTF_8);
    assertThat(child.waitFor()).as(said).isZero();
    List<String> lines = said.lines().toList();
    assertThat(lines).hasSize(3).endsWith("went on, true", "closed");
    try (var tables = Files.list(database.resolve("data"))) {
      // None is left of the flushes that failed.
      assertThat(tables.filter(DescriptorsTest::isEmpty)).isEmpty();
    }
    return lines.get(0);
  }

  private static boolean isEmpty(Path file) {
    return file.toFile().length() == 0;
  }

  /** The class path, with the directories that jars of this build were made of. */
  private static String classDirectories() throws IOException {
    List<String> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path path = Path.of(entry);
      boolean tests = entry.endsWith("-tests.jar");
      Path classes = path.resolveSibling(tests ? "test-classes" : "classes");
      boolean ours = entry.endsWith(".jar") && Files.isDirectory(classes);
      entries.add(ours ? classes.toString() : entry);
    }
    assertThat(entries).anyMatch(entry -> entry.contains("storage-engine") && isDirectory(entry));
    return String.join(File.pathSeparator, entries);
  }

  private static boolean isDirectory(String entry) {
    return Files.isDirectory(Path.of(entry));
  }
}
