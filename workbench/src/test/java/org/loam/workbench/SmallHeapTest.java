package org.loam.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.console.ExitCode;

/** What a user is told if the heap has no room for what a command needs. */
class SmallHeapTest {
  private static final int HEAP_MIB = 32;

  /** The buffer of its line is to be twice 8 MiB. That fails at once, and nothing else does. */
  private static final String LARGE = "{\"id\":2,\"text\":\"" + "x".repeat(12 << 20) + "\"}\n";

  @TempDir Path directory;

  private LoamProcess.Result run(String... arguments) {
    return LoamProcess.run(LoamProcess.builder(HEAP_MIB, Loam.class, arguments), LoamProcess::all);
  }

  private LoamProcess.Result ingest(String text, String onError) throws IOException {
    Path file = Files.writeString(directory.resolve("records.jsonl"), text);
    return run(
        "ingest",
        file.toString(),
        "--dataset=d",
        "--key=id",
        "--directory=" + directory.resolve("db"),
        "--config=" + small(),
        "--on-error=" + onError);
  }

  /** The settings of a small database, whose log is there at once. */
  private Path small() throws IOException {
    return Files.writeString(
        directory.resolve("small.yaml"),
        """
        memory:
          total: 64MiB
        log:
          segmentBytes: 1MiB
          maxBytes: 16MiB
        """);
  }

  private static void requireTold(LoamProcess.Result result, String... told) {
    assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.ENVIRONMENT);
    // A slow machine is also told how far it is.
    assertThat(result.err().lines().filter(line -> !line.startsWith("ingest: ")))
        .as(result.toString())
        .singleElement()
        .asString()
        .startsWith("loam: ")
        .contains("LOAM_JAVA_OPTS=-Xmx")
        .contains(told);
  }

  @Test
  void recordsBeforeOneThatTheHeapHasNoRoomForAreIn() throws IOException {
    requireTold(ingest(LARGE, "stop"), "records that are in: 0;");
    String[] get = {
      "get", "1", "--dataset=d", "--directory=" + directory.resolve("db"), "--config=" + small()
    };
    LoamProcess.Result none = LoamTest.inProcess(get);
    assertThat(none.exitCode()).as(none.toString()).isEqualTo(ExitCode.USAGE);
    requireTold(ingest("{\"id\":1}\n" + LARGE, "skip"), "records that are in: 1;");
    assertThat(LoamTest.inProcess(get).exitCode()).isZero();
  }

  @Test
  void anyCommandThatNeedsMoreSaysHowToGiveIt() throws IOException {
    Path config = directory.resolve("config.yaml");
    try (RandomAccessFile file = new RandomAccessFile(config.toFile(), "rw")) {
      file.setLength(2L * HEAP_MIB << 20);
    }
    requireTold(
        run(
            "create",
            "--dataset=d",
            "--key=id",
            "--directory=" + directory.resolve("db"),
            "--config=" + config),
        "no memory left");
  }
}
