package org.loam.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;

/** The laboratory for write latency, for a few seconds. */
class BenchLatencyTest {
  @TempDir Path directory;

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void bothPhasesAreInTheJsonAndInThePage() throws IOException {
    Path work = directory.resolve("work");
    Path html = directory.resolve("latency.html");
    JsonNode report =
        LoamProcess.document(
            "bench",
            "latency",
            "--seconds",
            "1.5",
            "--records",
            "20000",
            "--value-bytes",
            "200",
            "--memory",
            "64MiB",
            "--trees",
            "2",
            "--zipf",
            "0.8",
            "--workload",
            "ycsb-a",
            "--shift",
            "1",
            "--load",
            "0.5",
            "--rounds",
            "2",
            "--threads",
            "2",
            "--arrivals",
            "bursty",
            "--json",
            "--html",
            html.toString(),
            "--directory",
            work.toString());
    assertThat(work).doesNotExist();
    assertThat(report.path("origin").path("command").asText())
        .startsWith("loam bench latency --seconds 1.5");
    assertThat(report.path("settings").path("traffic").path("zipf").doubleValue()).isEqualTo(0.8);
    JsonNode result = report.path("results").path(0);
    assertThat(result.path("engine").asText()).isEqualTo("loam");

    assertMediansAndRanges(report);

    JsonNode testing = result.path("testing");
    double maximum = testing.path("maxOpsPerSecond").doubleValue();
    assertThat(maximum).isPositive();
    assertThat(testing.path("opsPerSecond").doubleValue()).isGreaterThanOrEqualTo(maximum);
    assertThat(testing.path("debt").path("paySeconds").isNumber()).isTrue();

    JsonNode running = result.path("running");
    assertThat(running.path("offeredPerSecond").doubleValue()).isEqualTo(maximum * 0.5);
    JsonNode counts = running.path("counts");
    assertThat(counts.path("offered").longValue()).isPositive();
    assertThat(counts.path("done").longValue() + counts.path("unfinished").longValue())
        .isEqualTo(counts.path("offered").longValue());
    assertThat(
            running.path("write").path("count").longValue()
                + running.path("read").path("count").longValue())
        .isEqualTo(counts.path("offered").longValue());
    for (String kind : List.of("write", "writeProcessing", "read", "readProcessing")) {
      assertAscending(running.path(kind));
    }
    for (String phase : List.of("testing", "running")) {
      assertComplete(result.path(phase).path("series"));
    }
    assertThat(running.path("moves").path("parts").findValuesAsText("workload"))
        .contains("ycsb-a", "ycsb-b");
    JsonNode columns = running.path("series").path("columns");
    assertThat(columns.has("offeredPerSecond")).isTrue();
    assertThat(testing.path("series").path("columns").has("offeredPerSecond")).isFalse();

    String page = Files.readString(html);
    String data =
        page.substring(page.indexOf("application/json\">") + "application/json\">".length());
    assertThat(Json.read(data.substring(0, data.indexOf("</script>")), JsonNode.class))
        .isEqualTo(report);
  }

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void datasetsShareMemoryWithoutARunningPhase() {
    JsonNode report =
        LoamProcess.document(
            "bench",
            "latency",
            "--seconds",
            "0.5",
            "--records",
            "10000",
            "--value-bytes",
            "100",
            "--memory",
            "64MiB",
            "--trees",
            "10",
            "--hotspot",
            "80-20",
            "--indexes",
            "2",
            "--workload",
            "scan-heavy",
            "--load",
            "0",
            "--set",
            "write.scheme=STATIC",
            "--splits",
            "30",
            "--json",
            "--directory",
            directory.resolve("work").toString());
    assertThat(report.path("settings").path("trees").path("indexes").intValue()).isEqualTo(2);
    assertThat(report.path("results").path(0).path("running").isNull()).isTrue();
    JsonNode split = report.path("results").path(1);
    assertThat(split.path("engine").asText()).isEqualTo("loam-30");
    JsonNode columns = split.path("testing").path("series").path("columns");
    assertThat(columns.path("writeMemoryTargetBytes").path(0).doubleValue() / (64 << 20))
        .isBetween(0.29, 0.31);
    JsonNode numbers = report.path("numbers").path("loam");
    assertThat(numbers.path("maxOpsPerSecond").path("median").doubleValue()).isPositive();
    for (String moved :
        List.of(
            "testedWrittenBytesPerOp", "testedQueryReadPagesPerOp", "testedMergeReadPagesPerOp")) {
      assertThat(numbers.has(moved)).as(moved).isTrue();
    }
    assertThat(numbers.has("offeredPerSecond")).isFalse();
  }

  /** What it says of so short a time is no result, so that its exit code does not count. */
  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void theCostOfTheTunerIsARatioOfEachRound() {
    LoamProcess.Result result =
        LoamProcess.run(
            "bench",
            "tuner",
            "--seconds",
            "0.5",
            "--rounds",
            "1",
            "--records",
            "10000",
            "--memory",
            "64MiB",
            "--json",
            "--directory",
            directory.resolve("work").toString());
    assertThat(result.exitCode()).as(result.toString()).isIn(ExitCode.OK, ExitCode.FAILED);
    JsonNode report = Json.read(result.out(), JsonNode.class);
    assertThat(report.path("rounds")).hasSize(1);
    JsonNode round = report.path("rounds").path(0);
    double frozen = round.path("frozen").path("cpuMicrosPerOp").doubleValue();
    double adaptive = round.path("adaptive").path("cpuMicrosPerOp").doubleValue();
    assertThat(round.path("ratio").doubleValue()).isEqualTo(adaptive / frozen).isPositive();
    assertThat(report.path("ratio").path("median")).isEqualTo(round.path("ratio"));
  }

  private static void assertMediansAndRanges(JsonNode report) {
    JsonNode rounds = report.path("rounds");
    assertThat(rounds).hasSize(2);
    JsonNode numbers = report.path("numbers").path("loam");
    assertThat(numbers.has("writeP99Micros")).isTrue();
    numbers
        .properties()
        .forEach(
            number -> {
              // A round may lack a number, as the size of levels if it had none yet.
              DoubleSummaryStatistics found =
                  StreamSupport.stream(rounds.spliterator(), false)
                      .map(round -> round.path("numbers").path(number.getKey()))
                      .filter(JsonNode::isNumber)
                      .mapToDouble(JsonNode::doubleValue)
                      .summaryStatistics();
              JsonNode spread = number.getValue();
              assertThat(spread.path("least").doubleValue()).isEqualTo(found.getMin());
              assertThat(spread.path("most").doubleValue()).isEqualTo(found.getMax());
              assertThat(spread.path("median")).isEqualTo(spread.path("least"));
            });
    assertThat(report.path("results").path(0).path("running").path("write").path("p99Micros"))
        .isEqualTo(numbers.path("writeP99Micros").path("median"));
  }

  private static void assertAscending(JsonNode percentiles) {
    double previous = 0;
    for (String name :
        List.of("p50Micros", "p90Micros", "p99Micros", "p999Micros", "p9999Micros", "maxMicros")) {
      double value = percentiles.path(name).doubleValue();
      assertThat(value).as(name + " of " + percentiles).isGreaterThanOrEqualTo(previous);
      previous = value;
    }
    assertThat(previous).isPositive();
  }

  private static void assertComplete(JsonNode series) {
    int points = series.path("seconds").size();
    assertThat(points).isGreaterThan(10);
    List<String> columns = new ArrayList<>();
    series.path("columns").fieldNames().forEachRemaining(columns::add);
    assertThat(columns)
        .contains(
            "donePerSecond",
            "writeProcessingP99Micros",
            "writeMemoryUsedBytes",
            "writeMemoryTargetBytes",
            "writeMemoryLiveBytes",
            "l0Depth.0",
            "l0Bytes.1",
            "l0DepthMax",
            "l0BytesSum",
            "openMerges",
            "openMergeBytes",
            "owedBytes",
            "levelFullnessMax",
            "flushedBytesPerSecond",
            "mergedBytesPerSecond",
            "loggedBytesPerSecond",
            "stallMillis.L0_STOPPerSecond",
            "cpuSecondsPerSecond")
        .anyMatch(column -> column.startsWith("hits."));
    assertThat(series.path("l0Changes")).hasSize(2);
    series.path("l0Changes").forEach(tree -> assertThat(tree.path(0).intValue()).isZero());
    for (String column : columns) {
      assertThat(series.path("columns").path(column)).as(column).hasSize(points);
    }
  }
}
