package org.loam.workbench.bench.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.loam.workbench.bench.Cost;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.Latency;
import org.loam.workbench.bench.secondary.SecondaryRow.Subject;
import org.loam.workbench.bench.secondary.SecondaryRow.Throughput;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Machine;

class SecondaryReportTest {
  private static final DataSize DATA = new DataSize(5_000, 100, 64L << 20);

  private static SecondaryRow row(Work work, int indexes, double opsPerSecond) {
    return row(work, indexes, opsPerSecond, DATA);
  }

  private static SecondaryRow row(Work work, int indexes, double opsPerSecond, DataSize data) {
    return new SecondaryRow(
        new Subject(work.name(), indexes, 1, data),
        new Throughput(opsPerSecond, opsPerSecond * work.records()),
        new Cost(1, work.writes() ? 2.0 : null),
        new Latency(1, 2, 3, 4),
        null,
        List.of(3L, 1L));
  }

  @Test
  void theTextShowsTheThroughputOverTime() {
    DataSize other = new DataSize(5_000, 200, 64L << 20);
    SecondaryReport report =
        new SecondaryReport(
            List.of(row(Work.LOAD, 2, 1_234), row(Work.GETS, 2, 5), row(Work.LOAD, 2, 6, other)),
            List.of(),
            1,
            42,
            true,
            Machine.of(Path.of("")));
    assertThat(report.text().split("over time", -1)).as("one for each data set").hasSize(3);
    assertThat(report.text().lines().map(line -> line.replaceAll(" +", " ")))
        .containsSubsequence(
            "load 2 1,234 1,234 1.00 2.00 1.00 2.00 3.00 -",
            "ops/s over time, in 10 steps at most; the last second may not be whole",
            "load 2 3 1",
            Work.GETS.name() + " 2 3 1");
  }

  @Test
  void aRowOfTheDocumentIsFlat() {
    assertThat(Json.read(Json.line(row(Work.GETS, 2, 5)), JsonNode.class).fieldNames())
        .toIterable()
        .containsExactly(
            "workload",
            "indexes",
            "threads",
            "data",
            "opsPerSecond",
            "recordsPerSecond",
            "cpuMicrosPerOp",
            "writeAmplification",
            "p50Micros",
            "p99Micros",
            "p999Micros",
            "maxMicros",
            "ratio",
            "perSecond");
  }

  @Test
  void longTimesAreShownInSteps() {
    assertThat(SecondaryReport.steps(List.of())).isEmpty();
    assertThat(SecondaryReport.steps(List.of(7L))).containsExactly(7.0);
    List<Long> seconds = LongStream.range(0, 25).boxed().toList();
    assertThat(SecondaryReport.steps(seconds))
        .as("of 2 and of 3 seconds in turn")
        .containsExactly(0.5, 3.0, 5.5, 8.0, 10.5, 13.0, 15.5, 18.0, 20.5, 23.0);
  }

  @Test
  void theMedianOfEachSubjectCounts() {
    List<SecondaryRow> medians =
        SecondaryReport.medians(
            List.of(row(Work.LOAD, 0, 300), row(Work.LOAD, 0, 100), row(Work.LOAD, 0, 200)));
    assertThat(medians).containsExactly(row(Work.LOAD, 0, 200));
  }

  @Test
  void writesAreHeldAgainstThoseWithoutIndexesAndQueriesAgainstGets() {
    List<SecondaryRow> medians =
        SecondaryReport.medians(
            List.of(
                row(Work.LOAD, 0, 200),
                row(Work.GETS, 0, 999),
                row(Work.LOAD, 2, 150),
                row(Work.GETS, 2, 4),
                row(Work.query(10), 2, 1_200)));
    assertThat(medians)
        .extracting(SecondaryRow::ratio)
        .containsExactly(null, null, 0.75, null, 3.0);
  }
}
