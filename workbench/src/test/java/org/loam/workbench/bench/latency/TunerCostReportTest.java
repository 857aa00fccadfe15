package org.loam.workbench.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.loam.common.config.TunerMode;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.Subject;
import org.loam.workbench.bench.latency.LatencySpec.Traffic;
import org.loam.workbench.bench.latency.LatencySpec.Trees;
import org.loam.workbench.console.Machine;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Workload;

/** What is made of phases with the tuner and without. */
class TunerCostReportTest {
  private static LatencyResult phase(double cpuMicrosPerOp) {
    Map<String, Double> totals = Map.of("cpuSeconds", cpuMicrosPerOp * 1000 / 1e6);
    TestingResult testing =
        new TestingResult(1000, 1, null, 1000, null, totals, new Series.Builder().build());
    return new LatencyResult("loam", 1, testing, null, -1);
  }

  private static TunerCostReport report(double... cpuMicrosPerOp) {
    List<LatencyResult> phases = new ArrayList<>();
    for (double micros : cpuMicrosPerOp) {
      phases.add(phase(micros));
    }
    LatencySpec spec =
        new LatencySpec(
            new Subject(Peer.LOAM, "", Map.of()),
            new DataSize(1_000, 100, 64L << 20),
            Trees.ONE,
            Durability.PROCESS,
            new Traffic(Workload.YCSB_C, ArrivalPattern.CONSTANT, 0, 2),
            1_000,
            42);
    List<TunerMode> modes = TunerCostCommand.modes(phases.size() / 2 - 1);
    Machine machine = new Machine("", 1, 1, "", "", "");
    return TunerCostReport.of(spec, modes, phases, List.of(), machine);
  }

  @Test
  void everySecondRoundIsTheOtherWayRound() {
    assertThat(TunerCostCommand.modes(2))
        .containsExactly(
            TunerMode.FROZEN,
            TunerMode.ADAPTIVE,
            TunerMode.ADAPTIVE,
            TunerMode.FROZEN,
            TunerMode.FROZEN,
            TunerMode.ADAPTIVE);
  }

  @Test
  void theMedianOfTheRoundsCountsWithoutTheWarmUp() {
    TunerCostReport report = report(1, 9, 1.01, 1, 1, 1.5, 1.014, 1);
    assertThat(report.rounds()).hasSize(3);
    assertThat(report.rounds().get(0).frozen().cpuMicrosPerOp()).isCloseTo(1, within(1e-9));
    assertThat(report.ratio().median()).isCloseTo(1.014, within(1e-9));
    assertThat(report.ratio().most()).isCloseTo(1.5, within(1e-9));
    assertThat(report.passed()).isTrue();
    assertThat(report.text())
        .contains("PASS  processor time with the tuner is 101.4 % of that without (101.0 to 150.0)")
        .hasLineCount(5);
    assertThat(report(1, 1, 1.03, 1).passed()).isFalse();
    assertThat(report(1, 1, 1.03, 1).text()).contains("FAIL");
  }
}
