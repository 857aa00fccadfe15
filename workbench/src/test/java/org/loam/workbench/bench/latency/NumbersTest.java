package org.loam.workbench.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.loam.cache.AccessClass;
import org.loam.workbench.peer.Sample;

class NumbersTest {
  /** Six points a second apart, of which the last four are in the window. */
  private static Map<String, Double> numbers(boolean saysWhatIsLive) {
    Series.Builder series = new Series.Builder();
    for (int second = 1; second <= 6; second++) {
      Map<String, Double> point =
          Map.of(
              Sample.WRITE_MEMORY_TARGET_BYTES, 1000.0,
              Sample.WRITE_MEMORY_USED_BYTES, 100.0 * second,
              Sample.WRITE_MEMORY_LIVE_BYTES, 80.0 * second,
              Sample.WRITE_MEMORY_LEAVING_BYTES, second % 2 == 0 ? 90.0 : 30.0,
              Sample.WRITE_MEMORY_KEYS, 2.0 * second);
      series.add(
          second, saysWhatIsLive ? point : Map.of(Sample.WRITE_MEMORY_USED_BYTES, 100.0 * second));
    }
    TestingResult testing =
        new TestingResult(10, 4.0005, null, 2.5, null, Map.of(), series.build());
    return Numbers.of(new LatencyResult("loam", 1, testing, null, -1));
  }

  @Test
  void writeMemoryIsAMeanOverTheWindow() {
    assertThat(numbers(true))
        .containsEntry("testedLiveMemoryRatio", 80 * 4.5 / 1000)
        .containsEntry("testedLeavingMemoryRatio", 0.06)
        .containsEntry("testedMostLeavingMemoryRatio", 0.09)
        .containsEntry("testedMemoryBytesPerKey", 50.0);
  }

  private static Map<String, Double> costs(long operations) {
    return costs(operations, null);
  }

  private static Map<String, Double> costs(long operations, TestingResult.@Nullable Debt debt) {
    Series.Builder series = new Series.Builder();
    series.add(1, Map.of("donePerSecond", (double) operations));
    Map<String, Double> totals =
        Map.of(
            Sample.FLUSHED_BYTES,
            600.0,
            Sample.MERGED_BYTES,
            400.0,
            "processReadBytes",
            1000.0,
            Sample.MISSES + AccessClass.MERGE,
            20.0,
            "cpuSeconds",
            0.01);
    TestingResult testing =
        new TestingResult(operations, 1, debt, operations, null, totals, series.build());
    return Numbers.of(new LatencyResult("loam", 1, testing, null, -1));
  }

  /** Merges were to write them, and will. */
  @Test
  void whatMergesStillOweIsWritten() {
    assertThat(costs(10, new TestingResult.Debt(100, 900, 2, 300)))
        .containsEntry("unpaidBytes", 300.0)
        .containsEntry("testedWrittenBytesPerOp", 130.0)
        .containsEntry("testedCostBytesPerOp", 230.0)
        .containsEntry("testedMergeReadPagesPerOp", 2.0);
  }

  @Test
  void theMemoryOfALoadIsANumber() {
    LatencyResult.LoadMemory memory = new LatencyResult.LoadMemory(100, 190);
    assertThat(Numbers.of(new LatencyResult("loam", 1, null, null, -1, memory)))
        .containsEntry("loadedMemoryBytes", 100.0)
        .containsEntry("loadedMostMemoryBytes", 190.0);
    assertThat(costs(10)).doesNotContainKeys("loadedMemoryBytes", "loadedMostMemoryBytes");
  }

  /** An infinite cost is larger than any other, so that a claim about it would hold. */
  @Test
  void aWindowWithoutOperationsHasNoCostOfOne() {
    assertThat(costs(10))
        .containsEntry("testedWrittenBytesPerOp", 100.0)
        .containsEntry("testedCostBytesPerOp", 200.0)
        .containsEntry("testedMergeReadPagesPerOp", 2.0)
        .containsEntry("testedCpuMicrosPerOp", 1000.0);
    assertThat(costs(0).values()).allSatisfy(number -> assertThat(number).isFinite());
    assertThat(costs(0)).doesNotContainKeys("testedCostBytesPerOp", "testedCpuMicrosPerOp");
  }

  @Test
  void aRunWithoutOperationsHasNoVariation() {
    Series.Builder series = new Series.Builder();
    series.add(1, Map.of("donePerSecond", 0.0));
    RunningResult running =
        new RunningResult(
            100,
            new RunningResult.Counts(100, 0, 100, 1),
            new KindPercentiles(null, null, null, null),
            new Moves(List.of()),
            Map.of(),
            series.build());
    assertThat(Numbers.of(new LatencyResult("loam", 1, null, running, -1)))
        .containsEntry("donePerSecond", 0.0)
        .doesNotContainKey("throughputVariation");
  }

  @Test
  void whatAnEngineDoesNotSayIsAbsent() {
    assertThat(numbers(false))
        .doesNotContainKeys(
            "testedLiveMemoryRatio", "testedMostLeavingMemoryRatio", "testedMemoryBytesPerKey");
  }
}
