package org.loam.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;

/** Figures of papers, small enough for seconds. */
class FigureTest {
  @TempDir Path directory;

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void aSmallFigureHasBothSeriesAndAVerdictOnEachClaim() throws IOException {
    Path html = directory.resolve("figure.html");
    LoamProcess.Result result =
        LoamProcess.run(
            "figure",
            "stability-9",
            "--seconds",
            "0.3",
            "--records",
            "5000",
            "--json",
            "--html",
            html.toString(),
            "--directory",
            directory.resolve("work").toString());
    JsonNode report = Json.read(result.out(), JsonNode.class);
    boolean allPassed = true;
    assertThat(report.path("verdicts")).hasSize(4);
    for (JsonNode verdict : report.path("verdicts")) {
      allPassed &= verdict.path("passed").booleanValue();
    }
    assertThat(result.exitCode()).isEqualTo(allPassed ? ExitCode.OK : ExitCode.FAILED);
    JsonNode fair = report.path("results").path(0);
    JsonNode greedy = report.path("results").path(1);
    assertThat(fair.path("engine").asText()).isEqualTo("fair");
    assertThat(greedy.path("engine").asText()).isEqualTo("greedy");
    assertThat(greedy.path("testing").path("operations").longValue()).isPositive();
    assertThat(greedy.path("running").path("offeredPerSecond").doubleValue())
        .isPositive()
        .isEqualTo(fair.path("running").path("offeredPerSecond").doubleValue());
    assertThat(report.path("notes").toString()).contains("of the data, at the usual size");
    assertThat(report.path("figure").path("leftOut").path(0).path("series").asText())
        .isEqualTo("single-threaded");
    assertThat(Files.readString(html)).contains("\"verdicts\":[{", "\"engine\":\"greedy\"");
  }

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void aFigureOfTransactionsHasAResultForEachMix() {
    JsonNode report = brief("memory-14");
    List<String> engines = new ArrayList<>();
    report.path("results").forEach(one -> engines.add(one.path("engine").asText()));
    assertThat(engines)
        .containsExactly("standard", "read_mostly", "standard_half", "read_mostly_half");
    assertThat(report.path("verdicts")).hasSize(3);
    // So short a phase need not have a transaction in its last third, and a cost of it.
    engines.forEach(engine -> assertThat(lateWriteMemory(report, engine)).isPositive());
    assertThat(lateWriteMemory(report, "standard_half")).isGreaterThanOrEqualTo(32 << 20);
  }

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void aFigureInStagesHasAResultForEachSizeOfWriteMemory() {
    JsonNode report = brief("memory-9");
    assertThat(report.path("verdicts")).hasSize(4);
    List<String> engines = new ArrayList<>();
    report.path("results").forEach(one -> engines.add(one.path("engine").asText()));
    assertThat(engines)
        .hasSize(12)
        .startsWith("dynamic_in_large_first", "dynamic_in_small_first", "dynamic_in_large")
        .endsWith("static_large_in_small");
    for (String series : List.of("dynamic", "static_small", "static_large")) {
      assertThat(lateWriteMemory(report, series + "_in_small"))
          .isPositive()
          .isLessThan(lateWriteMemory(report, series + "_in_large"));
    }
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void allRecordsAreInMemoryWhenTheLoadOfAFigureOfMemoryEnds() {
    JsonNode report = brief("memory-8", "1GiB");
    List<String> engines = new ArrayList<>();
    for (JsonNode one : report.path("results")) {
      engines.add(one.path("engine").asText());
      // Loam takes whole pages.
      assertThat(one.path("loadMemory").path("endBytes").doubleValue())
          .as(one.path("engine").asText())
          .isGreaterThan(5_000 * 100);
    }
    assertThat(engines)
        .containsExactlyInAnyOrder(
            "ranges",
            "levels",
            "dynamic",
            "static_tuned",
            "accordion_index",
            "accordion_data",
            "inline_btree");
  }

  private JsonNode brief(String figure) {
    return brief(figure, "64MiB");
  }

  private JsonNode brief(String figure, String memory) {
    LoamProcess.Result result =
        LoamProcess.run(
            "figure",
            figure,
            "--seconds",
            "0.3",
            "--records",
            "5000",
            "--memory",
            memory,
            "--json",
            "--directory",
            directory.resolve("work").toString());
    assertThat(result.out()).as(result.err()).isNotEmpty();
    return Json.read(result.out(), JsonNode.class);
  }

  private static double lateWriteMemory(JsonNode report, String series) {
    JsonNode number = report.path("numbers").path(series).path("lateWriteMemoryBytes");
    return number.path("median").doubleValue();
  }

  @Test
  void figuresAreListed() {
    LoamProcess.Result result = LoamProcess.run("figure");
    assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(result.out())
        .contains(
            "stability-9  Merge schedulers",
            "memory-10  Ten trees",
            "memory-11  Schemes of write memory on TPC-C",
            "memory-6  I/O costs",
            "memory-7  Schemes",
            "memory-9  Levels",
            "memory-13  Accuracy");
  }

  @Test
  void anUnknownFigureIsRefusedWithTheNearestName() {
    LoamProcess.Result result = LoamProcess.run("figure", "stabilty-9");
    assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("unknown figure 'stabilty-9'; did you mean 'stability-9'?");
  }
}
