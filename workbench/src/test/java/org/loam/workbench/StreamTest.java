package org.loam.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.EngineConfig;
import org.loam.engine.Engine;

/** More data than heap, readers that go away, a database that another process has. */
class StreamTest {
  private static final int HEAP_MIB = 32;
  private static final int RECORDS = 40_000;

  @TempDir Path directory;

  private static ProcessBuilder loam(String... arguments) {
    return LoamProcess.builder(HEAP_MIB, Loam.class, arguments);
  }

  private void fill(Path file) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (int i = 0; i < RECORDS; i++) {
        out.write("{\"id\":" + i + ",\"text\":\"" + "x".repeat(1000) + "\"}\n");
      }
    }
  }

  @Test
  void theInputMayBeLargerThanTheHeapAndTheOutputToo() throws IOException {
    Path file = directory.resolve("many.jsonl");
    fill(file);
    assertThat(Files.size(file)).isGreaterThan(HEAP_MIB << 20);
    String at = "--directory=" + directory.resolve("data");
    LoamProcess.Result ingest =
        LoamProcess.run(
            loam("ingest", file.toString(), "--dataset=many", "--key=id", "--json", at),
            LoamProcess::all);
    assertThat(ingest.exitCode()).as(ingest.toString()).isZero();
    JsonNode report = new ObjectMapper().readTree(ingest.out());
    assertThat(report.get("records").intValue()).isEqualTo(RECORDS);

    ProcessBuilder scan = loam("scan", "--dataset=many", at);
    LoamProcess.Result all = LoamProcess.run(scan, process -> lastLine(process));
    assertThat(all.exitCode()).isZero();
    assertThat(all.out()).startsWith("{\"id\":" + (RECORDS - 1) + ",");
    assertThat(all.err()).isEmpty();

    LoamProcess.Result first = LoamProcess.run(scan, process -> firstLine(process));
    assertThat(first.out()).startsWith("{\"id\":0,");
    assertThat(first.err()).isEmpty();
    assertThat(first.exitCode()).isZero();

    ProcessBuilder full = scan.redirectOutput(Redirect.to(new File("/dev/full")));
    LoamProcess.Result lost = LoamProcess.run(full, process -> "");
    assertThat(lost.exitCode()).isEqualTo(3);
    assertThat(lost.err().lines()).hasSize(1);
    assertThat(lost.err()).startsWith("loam: the output is not complete: ");
  }

  /** A batch of as many of the large records as there were small ones would not fit. */
  @Test
  void noCommandHasAllOfItsRecordsInTheHeap() throws IOException {
    Path file = directory.resolve("large.jsonl");
    int small = 1400;
    int large = 70;
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (int i = 0; i < small + large; i++) {
        out.write("{\"id\":" + i + ",\"text\":\"" + "x".repeat(i < small ? 1 : 500_000) + "\"}\n");
      }
    }
    String at = "--directory=" + directory.resolve("data");
    run("ingest", file.toString(), "--dataset=large", "--key=id", "--index=number=id", at);
    String last = "{\"id\":" + (small + large - 1) + ",";
    assertThat(run("query", "--dataset=large", "--index=number", at)).startsWith(last);
    assertThat(run("scan", "--dataset=large", "--format=table", at))
        .isEqualTo("(" + (small + large) + " records)");

    List<String> keys = IntStream.range(small, small + large).mapToObj(Integer::toString).toList();
    List<String> get = new ArrayList<>(List.of("get", "--dataset=large", at));
    get.addAll(keys);
    assertThat(run(get.toArray(String[]::new))).startsWith(last);
    List<String> delete = new ArrayList<>(List.of("delete", "absent", "--dataset=large", at));
    delete.addAll(keys);
    assertThat(run(delete.toArray(String[]::new))).isEqualTo(large + " deleted, 1 not there");
  }

  /** The last line of what a command prints that ends well. */
  private static String run(String... arguments) {
    LoamProcess.Result result = LoamProcess.run(loam(arguments), StreamTest::lastLine);
    // A slow machine is told how far it is.
    assertThat(result.err().lines().filter(line -> !line.startsWith("ingest: "))).isEmpty();
    assertThat(result.exitCode()).isZero();
    return result.out();
  }

  private static String firstLine(Process process) throws IOException {
    // Closing it is what head does when it has enough.
    try (BufferedReader out = reader(process)) {
      return out.readLine();
    }
  }

  private static String lastLine(Process process) throws IOException {
    try (BufferedReader out = reader(process)) {
      return out.lines().reduce("", (a, b) -> b);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  @Test
  void aDatabaseInUseIsSaidInOneLine() {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64 << 20).logSegmentBytes(4 << 20).build();
    try (Engine engine = Engine.open(directory, config)) {
      LoamProcess.Result result = LoamTest.inProcess("stats", "--directory", directory.toString());
      assertThat(result.exitCode()).isEqualTo(3);
      assertThat(result.out()).isEmpty();
      assertThat(result.err().lines()).hasSize(1);
      assertThat(result.err())
          .startsWith("loam: the directory is in use: ")
          .contains("process " + ProcessHandle.current().pid());
      assertThat(engine.trees()).isEmpty();
    }
  }

  @Test
  void aDirectoryWithoutADatabaseStaysAsItIs() throws IOException {
    Path nothing = directory.resolve("nothing");
    LoamProcess.Result result = LoamTest.inProcess("stats", "--directory=" + nothing);
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.err()).contains("no database in " + nothing).contains("--directory");
    assertThat(nothing).doesNotExist();
  }
}
