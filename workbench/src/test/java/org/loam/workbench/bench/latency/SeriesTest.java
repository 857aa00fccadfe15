package org.loam.workbench.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.loam.workbench.console.Json;
import org.loam.workbench.peer.Sample;

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
  void l0OfATreeIsThereWhereItHasChanged() {
    Series.Builder builder = new Series.Builder();
    Sample.L0 none = new Sample.L0(0, 0);
    builder.add(1, Map.of(), List.of(none, new Sample.L0(2, 500)));
    builder.add(2, Map.of(), List.of(none, new Sample.L0(2, 500)));
    builder.add(3, Map.of(), List.of(new Sample.L0(1, 300), new Sample.L0(2, 700)));
    builder.add(4, Map.of(), List.of(none, new Sample.L0(2, 700)));
    Series series = builder.build();
    assertThat(series.l0Changes())
        .containsExactly(
            List.of(0L, 0L, 0L, 2L, 1L, 300L, 3L, 0L, 0L), List.of(0L, 2L, 500L, 2L, 2L, 700L));
    assertThat(Json.read(Json.line(series), Series.class)).isEqualTo(series);
  }

  /** A chart has a line for each column, of which more than a few would hide each other. */
  @Test
  void aThousandTreesAreListedAndSixteenHaveColumns() {
    List<Sample.L0> trees = new ArrayList<>();
    for (int tree = 0; tree < 1001; tree++) {
      trees.add(new Sample.L0(tree, 10 * tree));
    }
    Sample sample = new Sample().l0(trees);
    assertThat(sample.l0ByTree()).isEqualTo(trees.subList(0, 1000));
    assertThat(sample.gauges())
        .containsKeys("l0Depth.15", "l0Bytes.15")
        .doesNotContainKeys("l0Depth.16", "l0Bytes.16")
        .containsEntry(Sample.L0_DEPTH_MAX, 1000.0);
    assertThat(new Sample().l0(trees.subList(0, 1)).l0ByTree()).isEmpty();
  }

  /** Ten minutes of a thousand trees whose L0 changes each minute. */
  @Test
  void aThousandTreesTakeFewBytesOfJson() {
    Series.Builder builder = new Series.Builder();
    for (int second = 0; second < 600; second++) {
      List<Sample.L0> trees = new ArrayList<>();
      for (int tree = 0; tree < 1000; tree++) {
        int minute = (second + tree) / 60;
        trees.add(new Sample.L0(minute % 4, (minute % 4) * 1_234_567L));
      }
      builder.add(second, Map.of(), trees);
    }
    assertThat(Json.line(builder.build())).hasSizeLessThan(250_000);
  }

  @Test
  void aCounterThatAppearsLaterHasNoGrowthYet() {
    Observation before = new Observation(0, Map.of(), Map.of("x", 10.0), List.of());
    Observation after =
        new Observation(500_000_000, Map.of(), Map.of("x", 30.0, "y", 5.0), List.of());
    assertThat(after.growthSince(before)).containsOnly(Map.entry("x", 20.0));
    assertThat(after.ratesSince(before)).containsOnly(Map.entry("xPerSecond", 40.0));
  }
}
