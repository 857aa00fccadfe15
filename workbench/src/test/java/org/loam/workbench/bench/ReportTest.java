package org.loam.workbench.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.loam.workbench.bench.KvReport.RoundResult;
import org.loam.workbench.bench.RoundPart.Summary;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Machine;

class ReportTest {
  private static Row row(String engine, double opsPerSecond) {
    return row("ycsb-a", engine, 1, opsPerSecond);
  }

  private static Row row(String workload, String engine, int threads, double opsPerSecond) {
    return row(workload, engine, threads, 2_000, opsPerSecond);
  }

  private static Row row(
      String workload, String engine, int threads, long records, double opsPerSecond) {
    return new Row(
        workload,
        engine,
        threads,
        new Row.Given(records, 1021, 64L << 20),
        opsPerSecond,
        new Cost(2.5, 3.5),
        new Latency(1, 10, 100, 1_000),
        null);
  }

  @Test
  void theMedianRoundOfEachEngineCounts() {
    List<Row> medians =
        Medians.of(
            List.of(
                row("loam", 100), row("rocksdb", 70),
                row("loam", 300), row("rocksdb", 50),
                row("loam", 120), row("rocksdb", 60)));
    assertThat(medians).extracting(Row::opsPerSecond).containsExactly(120.0, 60.0);
    assertThat(medians).extracting(Row::ratio).containsExactly(2.0, null);
  }

  @Test
  void ofTwoRoundsTheSlowerCounts() {
    assertThat(Medians.of(List.of(row("loam", 100), row("loam", 90))))
        .extracting(Row::opsPerSecond)
        .containsExactly(90.0);
  }

  @Test
  void onlyRowsOfOneSubjectAreCompared() {
    List<Row> medians =
        Medians.of(
            List.of(
                row("load", "loam", 1, 10),
                row("load", "rocksdb", 4, 20),
                row("load", "rocksdb-buffered", 1, 30)));
    assertThat(medians).hasSize(3).allMatch(row -> row.ratio() == null);
  }

  /** Data sets of records of one size differ in nothing else, if a user chose the size. */
  @Test
  void rowsOfAnotherNumberOfRecordsAreAnotherSubject() {
    List<Row> rows =
        List.of(
            row("load", "loam", 1, 2_000, 10),
            row("load", "rocksdb", 1, 2_000, 20),
            row("load", "loam", 1, 1_000, 30),
            row("load", "rocksdb", 1, 1_000, 15));
    List<Row> medians = Medians.of(rows);
    assertThat(medians).extracting(Row::opsPerSecond).containsExactly(10.0, 20.0, 30.0, 15.0);
    assertThat(medians).extracting(Row::ratio).containsExactly(0.5, null, 2.0, null);
    assertThat(RowTable.of(medians).lines())
        .filteredOn(line -> line.contains("records"))
        .containsExactly(
            "2,000 records of 1021 bytes, 64 MiB of memory for each engine",
            "1,000 records of 1021 bytes, 64 MiB of memory for each engine");
  }

  @Test
  void roundingKeepsFourDigits() {
    assertThat(Figures.rounded(123456.7)).isEqualTo(123500);
    assertThat(Figures.rounded(1.23456)).isEqualTo(1.235);
    assertThat(Figures.rounded(0.00123456)).isEqualTo(0.001235);
    assertThat(Figures.rounded(0)).isZero();
    assertThat(Figures.rounded(12)).isEqualTo(12);
  }

  @Test
  void theJsonHasTheAgreedShape() throws Exception {
    List<Row> rows = new ArrayList<>();
    rows.add(row("loam", 100).withRatio(1.25));
    Row.Given given = new Row.Given(2_000, 1021, 64L << 20);
    rows.add(
        new Row(
            "read-uniform",
            "rocksdb",
            1,
            given,
            8,
            new Cost(7, null),
            new Latency(1, 2, 3, 4),
            null));
    KvReport report =
        new KvReport(
            rows,
            List.of(
                new RoundResult(
                    "loam", 1, new DataSize(1000, 100, 64L << 20), new Summary(1, 2, 3, 4), rows)),
            List.of("note"),
            new KvReport.Settings("PROCESS", 1, new Timing(1, 2, 3, 4), Map.of(), 42, true),
            Machine.of(Path.of("")));
    JsonNode json = new ObjectMapper().readTree(Json.document(report));
    List<String> names = new ArrayList<>();
    json.get("rows").get(0).fieldNames().forEachRemaining(names::add);
    assertThat(names)
        .containsExactly(
            "workload",
            "engine",
            "threads",
            "records",
            "recordBytes",
            "memoryBytes",
            "opsPerSecond",
            "cpuMicrosPerOp",
            "writeAmplification",
            "p50Micros",
            "p99Micros",
            "p999Micros",
            "maxMicros",
            "ratio");
    assertThat(json.get("rows").get(0).get("ratio").doubleValue()).isEqualTo(1.25);
    assertThat(json.get("rows").get(1).get("ratio").isNull()).isTrue();
    assertThat(json.get("rows").get(1).get("writeAmplification").isNull()).isTrue();
    assertThat(json.get("settings").get("timing").get("measureMillis").intValue()).isEqualTo(2);
    assertThat(json.get("machine").get("processors").intValue()).isPositive();
  }

  @Test
  void messagesBetweenProcessesReadBackAsTheyWere() {
    for (EngineMessage<RoundPart> message :
        List.of(
            EngineMessage.<RoundPart>began("load, 1 threads"),
            EngineMessage.of(new RoundPart(row("loam", 1), null)),
            EngineMessage.<RoundPart>noted("n"),
            EngineMessage.<RoundPart>failed("f"),
            EngineMessage.of(new RoundPart(null, new Summary(1, 2, -1, -1))))) {
      String line = Json.line(message);
      assertThat(line).doesNotContain("\n");
      EngineMessage<RoundPart> read = Json.read(line, EngineMessage.class, RoundPart.class);
      assertThat(read).isEqualTo(message);
    }
  }

  @Test
  void theTableShowsEveryRowAndADashForWhatIsNot() {
    String table = RowTable.of(List.of(row("loam", 123_400).withRatio(0.5), row("rocksdb", 7)));
    assertThat(table.lines()).hasSize(4);
    assertThat(table).contains("123,400").contains("0.50").contains("64 MiB").contains("-");
  }
}
