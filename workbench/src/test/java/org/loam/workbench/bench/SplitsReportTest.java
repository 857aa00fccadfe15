package org.loam.workbench.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.loam.workbench.bench.KvReport.RoundResult;
import org.loam.workbench.bench.RoundPart.Summary;
import org.loam.workbench.bench.SplitsReport.Point;
import org.loam.workbench.bench.SplitsReport.Split;
import org.loam.workbench.bench.SplitsReport.Verdict;
import org.loam.workbench.console.Machine;

/** What is made of rounds with memory divided in several ways. */
class SplitsReportTest {
  private static final DataSize DATA = new DataSize(1000, 100, 64L << 20);
  private static final List<Point> POINTS =
      List.of(
          new Point("10 %", false, 10),
          new Point("25 %", false, 25),
          new Point("50 %", false, 50),
          new Point("tuner", true, 10));

  private static RoundResult round(String name, String workload, double ops, long writeBytes) {
    Row row =
        new Row(
            workload,
            "loam",
            4,
            Row.Given.of(DATA),
            ops,
            new Cost(1, null),
            new Latency(1, 2, 3, 4),
            null);
    return new RoundResult(name, 1, DATA, new Summary(1, 2, 3, writeBytes), List.of(row));
  }

  /** One round of each point. */
  private static List<RoundResult> rounds(String workload, double... ops) {
    List<RoundResult> rounds = new ArrayList<>();
    for (int i = 0; i < ops.length; i++) {
      rounds.add(round(POINTS.get(i).name(), workload, ops[i], 7L << 20));
    }
    return rounds;
  }

  private static List<Verdict> verdicts(List<RoundResult> rounds) {
    return SplitsReport.verdicts(SplitsReport.splits(POINTS, rounds), List.of(25, 50));
  }

  @Test
  void theMedianRoundCountsWithItsWriteMemory() {
    List<RoundResult> rounds = rounds("ycsb-a", 100, 90, 80);
    rounds.add(round("tuner", "ycsb-a", 70, 1));
    rounds.add(round("tuner", "ycsb-a", 110, 2));
    rounds.add(round("tuner", "ycsb-a", 100, 3));
    Split tuned = SplitsReport.splits(POINTS, rounds).get(3);
    assertThat(tuned.opsPerSecond()).isEqualTo(100);
    assertThat(tuned.endWriteBytes()).isEqualTo(3);
    assertThat(tuned.rounds()).containsExactly(70.0, 100.0, 110.0);
    assertThat(tuned.spread()).isEqualTo(0.4);
  }

  @Test
  void theTunerIsHeldAgainstTheBestAndAgainstAQuarterAndAHalf() {
    List<Verdict> verdicts = verdicts(rounds("ycsb-a", 100, 90, 80, 96));
    assertThat(verdicts).extracting(Verdict::against).containsExactly("10 %", "25 %", "50 %");
    assertThat(verdicts).extracting(Verdict::isBest).containsExactly(true, false, false);
    assertThat(verdicts).allMatch(Verdict::passed);
    assertThat(verdicts).extracting(Verdict::least).containsExactly(0.95, 1.0, 1.0);
  }

  @Test
  void sixPercentBelowTheBestIsTooMuchAndSoIsOneBelowAHalf() {
    assertThat(verdicts(rounds("ycsb-a", 100, 90, 80, 94)))
        .extracting(Verdict::passed)
        .containsExactly(false, true, true);
    assertThat(verdicts(rounds("ycsb-a", 100, 90, 99, 98)))
        .extracting(Verdict::passed)
        .containsExactly(true, true, false);
  }

  @Test
  void whatRoundsDifferByIsAllowed() {
    List<RoundResult> rounds = rounds("ycsb-a", 100, 90, 80, 92);
    rounds.addAll(rounds("ycsb-a", 110, 90, 80, 92));
    rounds.addAll(rounds("ycsb-a", 100, 90, 80, 92));
    assertThat(verdicts(rounds)).allMatch(Verdict::passed);
    assertThat(verdicts(rounds).get(0).least()).isEqualTo(0.9);
  }

  @Test
  void whatRoundsOfTheTunerDifferByIsNotAllowed() {
    List<RoundResult> rounds = rounds("ycsb-a", 100, 90, 80, 100);
    rounds.addAll(rounds("ycsb-a", 100, 90, 80, 60));
    rounds.addAll(rounds("ycsb-a", 100, 90, 80, 60));
    assertThat(verdicts(rounds)).extracting(Verdict::least).containsExactly(0.95, 1.0, 1.0);
    assertThat(verdicts(rounds)).noneMatch(Verdict::passed);
  }

  @Test
  void roundsThatDifferByAnythingDoNotExcuseAnything() {
    List<RoundResult> rounds = rounds("ycsb-a", 100, 90, 80, 60);
    rounds.addAll(rounds("ycsb-a", 150, 90, 80, 60));
    rounds.addAll(rounds("ycsb-a", 60, 90, 80, 60));
    Verdict best = verdicts(rounds).get(0);
    assertThat(best.least()).isEqualTo(0.85);
    assertThat(best.passed()).isFalse();
  }

  @Test
  void workloadsAreJudgedByThemselves() {
    List<RoundResult> rounds = rounds("ycsb-a", 100, 90, 80, 100);
    rounds.addAll(rounds("ycsb-b", 1000, 2000, 1000, 1000));
    List<Verdict> verdicts = verdicts(rounds);
    assertThat(verdicts).hasSize(5);
    assertThat(verdicts)
        .filteredOn(verdict -> !verdict.passed())
        .singleElement()
        .returns("ycsb-b", Verdict::workload)
        .returns("25 %", Verdict::against)
        .returns(0.5, Verdict::part);
  }

  @Test
  void theTextHasEachSplitAndEachVerdict() {
    List<RoundResult> rounds = rounds("ycsb-a", 123_400, 90, 80, 94);
    List<Split> splits = SplitsReport.splits(POINTS, rounds);
    SplitsReport report =
        new SplitsReport(
            splits,
            SplitsReport.verdicts(splits, List.of(25)),
            rounds,
            List.of(),
            new KvReport.Settings("PROCESS", 1, new Timing(1, 2, 3, 4), Map.of(), 42, true),
            Machine.of(Path.of("")));
    assertThat(report.passed()).isFalse();
    assertThat(report.text().lines()).hasSize(1 + 4 + 2);
    assertThat(report.text())
        .contains("123,400", "7.0 MiB", "tuner")
        .contains("FAIL: ycsb-a, tuner reaches 0.1 % of the best, 10 %, must be 95.0 %")
        .contains("PASS: ycsb-a, tuner reaches 104.4 % of 25 %, must be 100.0 %");
  }
}
