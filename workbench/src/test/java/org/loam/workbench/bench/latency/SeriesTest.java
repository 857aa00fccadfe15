package org.loam.workbench.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.loam.workbench.console.Json;

class SeriesTest {
  @Test
  void whatIsNotKnownAtAPointIsNullAndNeverZero() {
    Series.Builder builder = new Series.Builder();
    builder.add(1, Map.of("a", 1.0));
    builder.add(2, Map.of("b", 2.0));
    builder.add(3, Map.of("a", 3.0));
    Series series = builder.build();
    assertThat(series.seconds()).containsExactly(1.0, 2.0, 3.0);
    assertThat(series.columns().get("a")).containsExactly(1.0, null, 3.0);
    assertThat(series.columns().get("b")).containsExactly(null, 2.0, null);
    assertThat(Json.read(Json.line(series), Series.class)).isEqualTo(series);
  }

  @Test
  void aCounterThatAppearsLaterHasNoGrowthYet() {
    Observation before = new Observation(0, Map.of(), Map.of("x", 10.0));
    Observation after = new Observation(500_000_000, Map.of(), Map.of("x", 30.0, "y", 5.0));
    assertThat(after.growthSince(before)).containsOnly(Map.entry("x", 20.0));
    assertThat(after.ratesSince(before)).containsOnly(Map.entry("xPerSecond", 40.0));
  }
}
