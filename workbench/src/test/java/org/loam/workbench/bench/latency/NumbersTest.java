package org.loam.workbench.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
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

  @Test
  void whatAnEngineDoesNotSayIsAbsent() {
    assertThat(numbers(false))
        .doesNotContainKeys(
            "testedLiveMemoryRatio", "testedMostLeavingMemoryRatio", "testedMemoryBytesPerKey");
  }
}
