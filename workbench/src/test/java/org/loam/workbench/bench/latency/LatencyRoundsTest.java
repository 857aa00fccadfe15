package org.loam.workbench.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.Subject;
import org.loam.workbench.bench.latency.LatencySpec.Traffic;
import org.loam.workbench.bench.latency.LatencySpec.Trees;
import org.loam.workbench.console.Machine;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Workload;

/** Several rounds of several engines in one report. */
class LatencyRoundsTest {
  private static final Moves STAYS = new Moves(List.of());

  private static LatencyResult result(String engine, double p99Micros, double stallMillis) {
    return result(engine, p99Micros, stallMillis, STAYS);
  }

  private static LatencyResult result(
      String engine, double p99Micros, double stallMillis, Moves moves) {
    Series.Builder series = new Series.Builder();
    series.add(1, Map.of("donePerSecond", 90.0, "l0DepthMax", 2.0));
    series.add(2, Map.of("donePerSecond", 110.0, "l0DepthMax", 5.0));
    Percentiles write = new Percentiles(200, 1, 2, p99Micros, 4, 5, 6);
    return new LatencyResult(
        engine,
        1_000,
        null,
        new RunningResult(
            100,
            new RunningResult.Counts(200, 200, 0, 2),
            new KindPercentiles(write, write, null, null),
            moves,
            Map.of("stallMillis.L0_STOP", stallMillis, "stallMillis.IO", 1.0),
            series.build()),
        -1);
  }

  private static LatencyReport report(LatencyRounds rounds) {
    return report(rounds, new Traffic(Workload.OVERWRITE, ArrivalPattern.CONSTANT, 0.95, 4));
  }

  private static LatencyReport report(LatencyRounds rounds, Traffic traffic) {
    return LatencyReport.of(
        new LatencySpec(
            new Subject(Peer.LOAM, "", Map.of()),
            new DataSize(1_000, 100, 64L << 20),
            Trees.ONE,
            Durability.PROCESS,
            traffic,
            2_000,
            42),
        rounds,
        List.of(),
        new LatencyReport.Origin("loam bench latency", null, "2026-01-01T00:00:00Z"),
        new Machine("", 1, 1, "", "", ""));
  }

  @Test
  void aNumberIsTheMedianOfItsRounds() {
    LatencyRounds rounds = new LatencyRounds();
    rounds.add(result("loam", 900, 30));
    rounds.add(result("rocksdb", 500, 0));
    rounds.add(result("loam", 100, 10));
    rounds.add(result("rocksdb", 700, 0));
    rounds.add(result("loam", 200, 20));
    LatencyReport report = report(rounds);
    assertThat(report.numbers().get("loam"))
        .containsEntry("writeP99Micros", new Spread(200, 100, 900))
        .containsEntry("stallMillis", new Spread(21, 11, 31))
        .containsEntry("throughputVariation", new Spread(0.1, 0.1, 0.1))
        .containsEntry("l0DepthMean", new Spread(3.5, 3.5, 3.5))
        .doesNotContainKeys("maxOpsPerSecond", "readP50Micros");
    assertThat(report.numbers().get("rocksdb"))
        .containsEntry("writeP99Micros", new Spread(500, 500, 700));
    assertThat(report.rounds()).hasSize(5);
    assertThat(report.rounds().get(2).numbers()).containsEntry("writeP99Micros", 200.0);
  }

  /** Many engines have a line each: one that ended with more than it began with shows it there. */
  @Test
  void whatMergesOweStandsBesideEachOfManyEngines() {
    LatencyRounds rounds = new LatencyRounds();
    for (int i = 1; i <= 7; i++) {
      TestingResult.Debt debt = new TestingResult.Debt(42 << 20, i * (146 << 20), 3.5, 0);
      TestingResult testing =
          new TestingResult(
              1, 1, debt, 1, null, Map.of(), new Series(List.of(), Map.of(), List.of()));
      rounds.add(new LatencyResult("series_" + i, 1_000, testing, null, -1));
    }
    String table =
        report(rounds, new Traffic(Workload.WRITE_ONLY, ArrivalPattern.CONSTANT, 0, 4)).table();
    assertThat(words(table.lines().skip(1).findFirst().orElseThrow()))
        .isEqualTo("loaded/s operations/s MiB owed, start MiB owed, end s to pay");
    assertThat(table.lines().map(LatencyRoundsTest::words))
        .contains("series_1 1,000 1.00 42.00 146 3.50", "series_7 1,000 1.00 42.00 1,022 3.50");
  }

  private static String words(String line) {
    return line.strip().replaceAll(" +", " ");
  }

  private static Map<String, Double> numbersOfLastThird(double... donePerSecond) {
    Series.Builder series = new Series.Builder();
    for (int i = 0; i < donePerSecond.length; i++) {
      series.add(
          i,
          Map.of(
              "writeMemoryTargetBytes", 100.0 + i,
              "donePerSecond", donePerSecond[i],
              "processReadBytesPerSecond", 40.0,
              "flushedBytesPerSecond", 10.0,
              "mergedBytesPerSecond", 20.0));
    }
    TestingResult testing = new TestingResult(1, 1, null, 1, null, Map.of(), series.build());
    return Numbers.of(new LatencyResult("loam", 1_000, testing, null, -1));
  }

  @Test
  void theLastThirdOfAPhaseHasNumbersOfItsOwn() {
    assertThat(numbersOfLastThird(7, 7, 7, 7, 5, 15))
        .containsEntry("lateWriteMemoryBytes", 104.5)
        .containsEntry("latePerSecond", 10.0)
        .containsEntry("lateCostBytesPerOp", 7.0)
        .containsEntry("lateWeightedBytesPerOp", 10.0);
  }

  /** Nothing was done in it, so that no operation has a cost. */
  @Test
  void aLastThirdWithoutOperationsHasNoCost() {
    assertThat(numbersOfLastThird(7, 7, 0))
        .containsEntry("lateWriteMemoryBytes", 102.0)
        .doesNotContainKeys("latePerSecond", "lateCostBytesPerOp", "lateWeightedBytesPerOp");
  }

  @Test
  void theChartsAreThoseOfTheRoundWithTheMedian() {
    LatencyRounds rounds = new LatencyRounds();
    rounds.add(result("loam", 900, 30));
    rounds.add(result("loam", 100, 10));
    rounds.add(result("loam", 200, 20));
    assertThat(report(rounds).results()).hasSize(1);
    RunningResult running = report(rounds).results().get(0).running();
    assertThat(Objects.requireNonNull(running).totals()).containsEntry("stallMillis.L0_STOP", 20.0);
  }

  @Test
  void theTableHasRangesOnlyAfterSeveralRounds() {
    LatencyRounds rounds = new LatencyRounds();
    rounds.add(result("loam", 100, 10));
    rounds.add(result("rocksdb", 400, 0));
    assertThat(line(report(rounds).table(), "  p99 ")).isEqualTo("p99 100 400 0.25");
    rounds.add(result("loam", 300, 10));
    rounds.add(result("rocksdb", 200, 0));
    assertThat(line(report(rounds).table(), "  p99 "))
        .isEqualTo("p99 100 100–300 200 200–400 0.50");
  }

  @Test
  void aRateThatIsAskedForNeedsNoTestingPhase() {
    LatencyRounds rounds = new LatencyRounds();
    rounds.add(result("loam", 100, 10));
    Traffic none = new Traffic(Workload.OVERWRITE, ArrivalPattern.BURSTY, 0, 4);
    assertThat(report(rounds).table())
        .startsWith("overwrite, constant arrivals at 0.95 of the maximum; 1000 records")
        .contains("running: ")
        .doesNotContain("testing: ", "maximum, ");
    assertThat(report(rounds, none.at(1_500)).table())
        .startsWith("overwrite, bursty arrivals at 1,500 a second; 1000 records")
        .contains("running: ");
    assertThat(report(rounds, none).table())
        .startsWith("overwrite; 1000 records")
        .doesNotContain("running: ");
  }

  @Test
  void whileMemoryMovesIsBesideWhileItStays() {
    Percentiles moved = new Percentiles(200, 1, 2, 3, 30, 5, 6);
    Percentiles stayed = new Percentiles(200, 1, 2, 3, 20, 5, 6);
    Moves moves =
        new Moves(
            List.of(
                new Moves.Part(
                    "ycsb-b", false, 8, new KindPercentiles(stayed, null, stayed, null), Map.of()),
                new Moves.Part(
                    "ycsb-b",
                    true,
                    2,
                    new KindPercentiles(moved, null, null, null),
                    Map.of("stallMillis.L0_STOP", 70.0))));
    LatencyRounds rounds = new LatencyRounds();
    rounds.add(result("loam", 100, 10, moves));
    Traffic shifting =
        new Traffic(Workload.OVERWRITE, ArrivalPattern.CONSTANT, 0.95, 4, null, null, 1_500.0, 20);
    String table = report(rounds, shifting).table();
    assertThat(table).startsWith("overwrite and ycsb-b in turn for 20 s, constant arrivals at");
    assertThat(table.substring(table.indexOf("ycsb-b, memory")).replaceAll(" +", " "))
        .isEqualTo(
            String.join(
                System.lineSeparator(),
                "ycsb-b, memory moves, s 2.00",
                " memory stays, s 8.00",
                " write latency p99.9 µs, moves 30.00",
                " write latency p99.9 µs, stays 20.00",
                " ratio 1.50",
                " writers waited, moves, L0_STOP, ms 70.00",
                ""));
  }

  private static String line(String table, String start) {
    return table
        .lines()
        .filter(line -> line.startsWith(start))
        .findFirst()
        .orElseThrow()
        .strip()
        .replaceAll(" +", " ");
  }
}
