package org.loam.workbench.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.TypeConversionException;

class ConsoleTest {
  @TempDir Path directory;

  @Test
  void sizesAreReadAsTheyAreWritten() {
    ByteSize size = new ByteSize();
    assertThat(size.convert("512MiB")).isEqualTo(512L << 20);
    assertThat(size.convert("65536")).isEqualTo(65_536);
    assertThatThrownBy(() -> size.convert("512 elephants"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("512 elephants")
        .hasMessageContaining("512MiB");
  }

  @Test
  void aWorkDirectoryGoesWhenItIsClosedUnlessKept() throws IOException {
    Path chosen = directory.resolve("new").resolve("work");
    try (WorkDirectory work = WorkDirectory.create(chosen, "test", false)) {
      Files.createDirectories(work.path().resolve("a/b"));
      Files.writeString(work.path().resolve("a/b/file"), "x");
    }
    assertThat(chosen).doesNotExist();
    try (WorkDirectory work = WorkDirectory.create(chosen, "test", true)) {
      Files.writeString(work.path().resolve("file"), "x");
    }
    assertThat(chosen.resolve("file")).exists();
    Path other = directory.resolve("other");
    try (WorkDirectory work = WorkDirectory.create(other, "test", false)) {
      work.keep();
    }
    assertThat(other).as("kept after the fact").exists();
  }

  /** It may be where a file system is mounted, which cannot be removed. */
  @Test
  void aDirectoryThatWasThereStaysAndIsEmptyAgain() throws IOException {
    Path there = Files.createDirectory(directory.resolve("there"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), there);
    for (Path chosen : List.of(there, link)) {
      try (WorkDirectory work = WorkDirectory.create(chosen, "test", false)) {
        Files.createDirectories(work.path().resolve("a/b"));
        Files.writeString(work.path().resolve("a/b/file"), "x");
        assertThat(there.resolve("a/b/file")).exists();
      }
      assertThat(chosen).isEmptyDirectory();
    }
    assertThat(link).isSymbolicLink();
    try (WorkDirectory work = WorkDirectory.create(there, "test", false)) {
      Files.delete(work.path());
    }
    assertThat(there).as("gone before").doesNotExist();
  }

  @Test
  void aDirectoryWithSomethingInItIsRefusedAndLeftAlone() throws IOException {
    Path file = Files.writeString(directory.resolve("precious"), "x");
    assertThatThrownBy(() -> WorkDirectory.create(directory, "test", false))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.ENVIRONMENT))
        .hasMessageContaining("not empty")
        .hasMessageContaining("--directory");
    assertThatThrownBy(() -> WorkDirectory.create(file, "test", false))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("--directory");
    assertThat(file).exists();
  }

  @Test
  void tooLittleSpaceIsSaidBeforeTheWork() {
    try (WorkDirectory work = WorkDirectory.create(directory.resolve("w"), "test", false)) {
      assertThatThrownBy(() -> work.requireFreeBytes(Long.MAX_VALUE))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("MiB free")
          .hasMessageContaining("--directory");
    }
  }

  @Test
  void withoutATerminalProgressIsPlainLines() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    try (Progress progress = Progress.start(out, "ingest", 10, false)) {
      progress.detail("the first half");
      progress.step(5);
      progress.step(5);
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .hasSize(2)
        .first()
        .isEqualTo("ingest 1/10: the first half");
    assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("ingest: 10 of 10 in");
  }

  @Test
  void onATerminalItIsABar() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    try (Progress progress = Progress.start(out, "ingest", 10, true)) {
      progress.detail("all of it");
      progress.step(10);
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("100%").contains("10/10");
  }

  @Test
  void bytesAreShownWithTheirRateAndWhatIsLeft() {
    PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    try (Progress known = Progress.startBytes(out, "ingest", 8 << 20, false);
        Progress unknown = Progress.startBytes(out, "ingest", -1, false)) {
      known.step(2 << 20);
      assertThat(known.measured(4))
          .isEqualTo("ingest: 2.0 of 8.0 MiB (25 %), 0.5 MiB/s, 12 s left");
      unknown.step(3 << 20);
      assertThat(unknown.measured(2)).isEqualTo("ingest: 3.0 MiB, 1.5 MiB/s");
    }
  }

  @Test
  void onATerminalBytesAreABarWithARate() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    try (Progress progress = Progress.startBytes(out, "ingest", 8 << 20, true)) {
      progress.step(8 << 20);
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("100%", "8/8 MiB", "MiB/s");
  }

  @Test
  void recordsAreShownWithTheirRateAndWhatIsLeft() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    try (Progress lines = Progress.startRecords(out, "index city", 20_000, false);
        Progress bar = Progress.startRecords(out, "index city", 20_000, true)) {
      lines.step(4000);
      assertThat(lines.measured(2))
          .isEqualTo("index city: 4,000 of 20,000 records (20 %), 2,000 records/s, 8 s left");
      lines.setTotal(5000);
      assertThat(lines.measured(2)).contains("4,000 of 5,000 records (80 %)");
      bar.step(4000);
      bar.setTotal(4000);
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .contains("100%", "4000/4000 records", "records/s");
  }

  @Test
  void aReaderThatWentAwayIsNoFailureOfTheOutput() throws IOException {
    for (String message : List.of("Broken pipe", "No space left on device")) {
      StandardOutput output =
          new StandardOutput(
              new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                  throw new IOException(message);
                }
              });
      PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
      out.println("x");
      out.println("y");
      assertThat(out.checkError()).isTrue();
      if (message.equals("Broken pipe")) {
        assertThat(output.failure()).isNull();
      } else {
        assertThat(output.failure()).hasMessage(message);
      }
    }
  }
}
