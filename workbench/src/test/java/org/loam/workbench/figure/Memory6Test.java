package org.loam.workbench.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.loam.workbench.bench.latency.LatencyResult;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.bench.latency.Series;
import org.loam.workbench.bench.latency.TestingResult;

/** The figure of the cost of each split. */
class Memory6Test {
  private final Memory6 figure = new Memory6();

  @Test
  void theBestSplitIsNotAtAnEnd() {
    LatencySpec spec = figure.spec(false, 1);
    List<LatencyResult> measured = new ArrayList<>();
    // One operation reads as many bytes as stand here; flushes and merges write 5 for each.
    for (double read : List.of(1, 9, 7, 8, 2, 30, 30, 30, 20, 10)) {
      String name = figure.series(spec).get(measured.size()).name();
      measured.add(result(name, read));
    }
    List<LatencyResult> all = Memory6.withBest(measured);
    assertThat(all).hasSize(12).startsWith(measured.toArray(LatencyResult[]::new));
    assertThat(all.get(10)).isEqualTo(measured.get(2).named("ycsb_opt"));
    assertThat(all.get(11)).isEqualTo(measured.get(8).named("tpcc_opt"));
    assertThat(all.get(10).number("testedCostBytesPerOp")).isEqualTo(12);
    assertThat(all.get(10).number("testedWrittenBytesPerOp")).isEqualTo(5);
    assertThat(all.get(10).number("testedQueryReadPagesPerOp")).isEqualTo(0.6);
    assertThat(all.get(10).number("testedMergeReadPagesPerOp")).isEqualTo(0.4);
  }

  @Test
  void transactionsHaveMoreRecordsInAsMuchMemory() {
    LatencySpec full = figure.spec(true, 1);
    LatencySpec transactions = figure.series(full).get(9).spec();
    assertThat(transactions.transactions()).isNotNull();
    assertThat(transactions.transactions().scale().warehouses()).isEqualTo(2_000);
    assertThat(transactions.data().memoryBytes()).isEqualTo(full.data().memoryBytes());
    assertThat(figure.scale(figure.spec(false, 1)))
        .startsWith(
            "300,000 records of 1000 bytes in 10 trees; warehouses: 6 of 100,000 items and 3,000"
                + " customers a district, 64 MiB of memory");
  }

  /** Of ten operations. */
  private static LatencyResult result(String name, double readBytesPerOp) {
    Map<String, Double> totals =
        Map.of(
            "flushedBytes", 20.0,
            "mergedBytes", 30.0,
            "processReadBytes", 10 * readBytesPerOp,
            "misses.QUERY", 2.0,
            "misses.FILTER", 2.0,
            "misses.META", 1.0,
            "misses.LARGE_VALUE", 1.0,
            "misses.MERGE", 4.0);
    TestingResult testing =
        new TestingResult(
            10, 1, null, 10, null, totals, new Series(List.of(), Map.of(), List.of()));
    return new LatencyResult(name, 1, testing, null, -1);
  }
}
